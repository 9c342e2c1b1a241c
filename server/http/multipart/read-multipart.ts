import { Fault } from "../../domain/faults/fault.ts";
import { createDelimited, type Delimited } from "./delimited.ts";
import type { MultipartLimits } from "./limits.ts";
import { parseParameters } from "./parameters.ts";
import type { Part } from "./part.ts";
import { parsePartHead } from "./part-head.ts";

/**
 * Streams the parts of a `multipart/form-data` body (RFC 7578) in order: reads nothing before it is
 * requested and never holds a part in memory. Read a part's body before you request the next part,
 * which skips the rest of it. A chunk of a body is valid until the next is requested. Ending the
 * iteration early cancels `body`. The parser owns the chunks of `body` and frees them early.
 *
 * It is our own because libraries push chunks into callbacks: busboy needs Node streams, multipasta knows
 * no back-pressure and goes on after errors. Here the reader takes the next chunk once the last one is
 * written, so memory is bounded, every number and length has a limit, and each malformed form gets a
 * precise message.
 *
 * Faults, also from the parts' bodies: "invalid" if the Content-Type, the form or a part's headers are
 * malformed, or the body is truncated; "too_large" beyond one of the other limits.
 */
export async function* readMultipart(
  body: AsyncIterable<Uint8Array>,
  contentType: string | null,
  limits: MultipartLimits,
): AsyncGenerator<Part, void, void> {
  const form = createDelimited(body, boundaryOf(contentType));
  try {
    await skip(form.piece, limits.preambleBytes, "before the first boundary");
    let unread = limits.unreadBytes;
    for (let count = 1; !form.isClosed(); count++) {
      if (count > limits.parts) {
        throw new Fault("too_large", `The form has more than ${limits.parts} parts.`);
      }
      const head = parsePartHead(await form.head(limits.headerBytes), limits);
      const part = createBody(form);
      yield { ...head, body: part.body };
      part.end();
      unread -= await skip(form.piece, unread, "in unknown fields");
    }
    await skip(form.rest, limits.epilogueBytes, "after the closing boundary");
  } finally {
    await form.close();
  }
}

/** The bytes of the current section of `form`, until `end` is called. */
function createBody(form: Delimited): { body: AsyncIterable<Uint8Array>; end(): void } {
  let hasEnded = false;
  async function* read(): AsyncGenerator<Uint8Array, void, void> {
    while (!hasEnded) {
      const piece = await form.piece();
      if (piece === undefined) return;
      yield piece;
    }
  }
  return {
    body: read(),
    end() {
      hasEnded = true;
    },
  };
}

/** Reads to the end and returns the number of bytes. Fault "too_large": more than `maxBytes`. */
async function skip(
  read: () => Promise<Uint8Array | undefined>,
  maxBytes: number,
  where: string,
): Promise<number> {
  let bytes = 0;
  for (let piece = await read(); piece !== undefined; piece = await read()) {
    bytes += piece.length;
    if (bytes > maxBytes) throw new Fault("too_large", `The form has too many bytes ${where}.`);
  }
  return bytes;
}

/** RFC 2046, section 5.1.1: 1 to 70 of these characters, without a space at the end. */
const BOUNDARY = /^[0-9A-Za-z'()+_,\-./:=? ]{0,69}[0-9A-Za-z'()+_,\-./:=?]$/;

/** The boundary of a form. Fault "invalid": not `multipart/form-data` with a valid boundary. */
function boundaryOf(contentType: string | null): string {
  const { value, parameters } = parseParameters("Content-Type", contentType?.trim() || "none");
  if (value !== "multipart/form-data") {
    throw new Fault(
      "invalid",
      "The body must be a form: send it with `Content-Type: multipart/form-data; boundary=…`.",
    );
  }
  const boundary = parameters.get("boundary");
  if (boundary === undefined) {
    throw new Fault(
      "invalid",
      "The Content-Type has no boundary. Let your HTTP client set this header itself.",
    );
  }
  const text = boundary.quoted ? boundary.raw.replace(/\\(.)/g, "$1") : boundary.raw;
  if (!BOUNDARY.test(text)) {
    throw new Fault(
      "invalid",
      "The boundary in the Content-Type must be 1 to 70 of the characters that RFC 2046 allows.",
    );
  }
  return text;
}
