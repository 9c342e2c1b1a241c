import { HoldallError } from "./error.ts";
import type { Part } from "./upload-source.ts";

export interface Form {
  readonly fields: Readonly<Record<string, string>>;
  readonly files: readonly Part[];
}

export interface Listeners {
  /** Bytes of content that have gone out, chunk by chunk. */
  readonly onSent: (bytes: number) => void;
  /** The content could not be read to its end. */
  readonly onBroken: (error: unknown) => void;
}

export interface Encoded {
  readonly contentType: string;
  /** In bytes; undefined when a file's size is not known beforehand. */
  readonly length: number | undefined;
  readonly body: ReadableStream<Uint8Array>;
}

export interface Framed {
  readonly contentType: string;
  /** What goes over the wire, in order: the frame, and the files in it. */
  readonly pieces: readonly (Uint8Array<ArrayBuffer> | Part)[];
}

/**
 * A form as multipart/form-data (RFC 7578). The fields come first, so that the server can refuse a
 * taken name before the bytes are sent.
 */
export function frameForm({ fields, files }: Form): Framed {
  const boundary = `holdall-${crypto.randomUUID()}`;
  const text = new TextEncoder();
  const plain = Object.entries(fields).map(
    ([name, value]) => `${open(boundary, name)}\r\n\r\n${value}\r\n`,
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

/** The form as a stream, made as it is read. */
export function encodeForm(form: Form, { onSent, onBroken }: Listeners): Encoded {
  const { contentType, pieces } = frameForm(form);
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (const piece of pieces) {
      if (piece instanceof Uint8Array) yield piece;
      else yield* contentOf(piece, onSent);
    }
  }
  return { contentType, length: lengthOf(pieces), body: streamOf(chunks(), onBroken) };
}

function lengthOf(pieces: Framed["pieces"]): number | undefined {
  let length = 0;
  for (const piece of pieces) {
    const size = piece instanceof Uint8Array ? piece.length : piece.size;
    if (size === undefined) return undefined;
    length += size;
  }
  return length;
}

async function* contentOf(file: Part, onSent: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader();
  let sent = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (value.length === 0) continue;
      sent += value.length;
      if (file.size !== undefined && sent > file.size) break;
      yield value;
      onSent(value.length);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  if (file.size !== undefined && sent !== file.size) {
    throw new HoldallError(
      400,
      `${file.name} was to have ${file.size} bytes, and had ${sent > file.size ? "more" : sent}.`,
    );
  }
}

const open = (boundary: string, name: string): string =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"`;

function fileHead(boundary: string, { name, type }: Part): string {
  // A type with a line break in it would be read as further headers.
  if (!/^[\x20-\x7e]*$/.test(type)) {
    throw new HoldallError(400, `A media type must be ASCII, and not ${JSON.stringify(type)}.`);
  }
  return `${open(boundary, "files")}; ${fileName(name)}\r\nContent-Type: ${type}\r\n\r\n`;
}

/** What quotes could make ambiguous goes into `filename*` (RFC 8187), which the server prefers. */
function fileName(name: string): string {
  if (/^[\x20-\x7e]*$/.test(name) && !/["\\%]/.test(name)) return `filename="${name}"`;
  try {
    const encoded = encodeURIComponent(name).replace(
      /['()*]/g,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
    );
    return `filename="file"; filename*=UTF-8''${encoded}`;
  } catch (cause) {
    throw new HoldallError(400, "A name must be valid Unicode, without lone surrogates.", {
      cause,
    });
  }
}

function streamOf(
  chunks: AsyncGenerator<Uint8Array>,
  onBroken: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  let ended = false;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await chunks.next();
          if (ended) return;
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          onBroken(error);
          throw error;
        }
      },
      async cancel() {
        ended = true;
        await chunks.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
