import type { Part } from "../files/part-of.ts";
import { failing, HoldallError } from "./error.ts";
import { bytesOf, chunksOf } from "./stream-of.ts";
import { sumOf } from "./sum-of.ts";

export interface Form {
  /** A list: one field for each value. undefined: none. */
  readonly fields: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly files: readonly Part[];
}

export interface Encoded {
  readonly contentType: string;
  /** In bytes; undefined if a file's size is unknown. */
  readonly length: number | undefined;
  /** The body, which is generated on demand. */
  readonly chunks: AsyncGenerator<Uint8Array>;
}

export interface Framed {
  readonly contentType: string;
  /** The body in order: the multipart framing and the files. */
  readonly pieces: readonly (Uint8Array<ArrayBuffer> | Part)[];
}

/**
 * A form as multipart/form-data (RFC 7578). The fields come first, so that the server can reject a
 * name conflict before the files are sent.
 */
export function frameForm({ fields, files }: Form): Framed {
  const boundary = `holdall-${crypto.randomUUID()}`;
  const text = new TextEncoder();
  const plain = Object.entries(fields).flatMap(([name, values]) =>
    [values ?? []].flat().map((value) => `${open(boundary, name)}\r\n\r\n${value}\r\n`),
  );
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    pieces: [
      text.encode(plain.join("")),
      ...files.flatMap((file) => [
        text.encode(fileHead(boundary, file)),
        file,
        text.encode("\r\n"),
      ]),
      text.encode(`--${boundary}--\r\n`),
    ],
  };
}

/** The form as bytes. `onSent`: called with the size of each chunk of content. */
export function encodeForm(form: Form, onSent: (bytes: number) => void): Encoded {
  const { contentType, pieces } = frameForm(form);
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (const piece of pieces) {
      if (piece instanceof Uint8Array) yield piece;
      else yield* contentOf(piece, onSent);
    }
  }
  const length = sumOf(
    pieces.map((piece) => (piece instanceof Uint8Array ? piece.length : piece.size)),
  );
  return { contentType, length, chunks: chunks() };
}

async function* contentOf(file: Part, onSent: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  let sent = 0;
  for await (const chunk of chunksOf(bytesOf(file.content()).getReader())) {
    if (chunk.length === 0) continue;
    sent += chunk.length;
    if (file.size !== undefined && sent > file.size) break;
    yield chunk;
    onSent(chunk.length);
  }
  if (file.size !== undefined && sent !== file.size) {
    throw new HoldallError(
      400,
      `${file.name} should have ${file.size} bytes, but has ${sent > file.size ? "more" : sent}.`,
    );
  }
}

const open = (boundary: string, name: string): string =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"`;

function fileHead(boundary: string, { name, type }: Part): string {
  // A line break in the type would add headers.
  if (!/^[\x20-\x7e]*$/.test(type)) {
    throw new HoldallError(
      400,
      `A media type must be printable ASCII, but is ${JSON.stringify(type)}.`,
    );
  }
  return `${open(boundary, "files")}; ${fileName(name)}\r\nContent-Type: ${type}\r\n\r\n`;
}

/** Names that are ambiguous in quotes go into `filename*` (RFC 8187), which the server prefers. */
function fileName(name: string): string {
  if (/^[ !#$&-[\]-~]*$/.test(name)) return `filename="${name}"`;
  try {
    const encoded = encodeURIComponent(name).replace(
      /['()*]/g,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
    );
    return `filename="file"; filename*=UTF-8''${encoded}`;
  } catch (cause) {
    return failing("A name must be valid Unicode.")(cause);
  }
}
