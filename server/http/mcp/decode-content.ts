import { Fault } from "../../domain/faults/fault.ts";

export const MAX_WRITTEN_BYTES = 100 * 1024;

interface GivenContent {
  readonly text?: string | undefined;
  readonly base64?: string | undefined;
  readonly size?: number | undefined;
}

/**
 * The bytes that a file is to have. Faults: "invalid": not exactly one of `text` and `base64` is given, or what
 * is given is malformed or does not have `size` bytes; "too_large".
 */
export function decodeContent({ text, base64, size }: GivenContent): Uint8Array<ArrayBuffer> {
  if ((text === undefined) === (base64 === undefined)) {
    throw new Fault("invalid", "Give exactly one of `text` and `base64`.");
  }
  const bytes = base64 === undefined ? encodeText(text ?? "") : decodeBase64(base64);
  if (bytes.length > MAX_WRITTEN_BYTES) {
    throw new Fault(
      "too_large",
      `The content is larger than ${MAX_WRITTEN_BYTES / 1024} KB: use \`request_upload\`, and send the file with the command that it returns.`,
      { details: { limit: MAX_WRITTEN_BYTES } },
    );
  }
  // Models cut long texts, and base64 that is cut at the right place is valid.
  if (base64 !== undefined && size === undefined) {
    throw new Fault("invalid", "With `base64`, give `size`: the number of bytes of the file.");
  }
  if (size !== undefined && size !== bytes.length) {
    throw new Fault(
      "invalid",
      `\`size\` is ${size}, but the content has ${bytes.length} bytes: it was cut or changed on the way. Nothing was stored.`,
    );
  }
  return bytes;
}

function encodeText(text: string): Uint8Array<ArrayBuffer> {
  if (!text.isWellFormed()) throw new Fault("invalid", "`text` contains half of a character.");
  return new TextEncoder().encode(text);
}

function decodeBase64(base64: string): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(base64, "base64");
  // Decoding skips what is no base64, and a last character that was changed may leave the bytes as they are.
  if (bytes.toString("base64") !== base64) {
    throw new Fault(
      "invalid",
      "`base64` is malformed or cut: it must be standard base64 with padding, without line breaks.",
    );
  }
  return new Uint8Array(bytes);
}
