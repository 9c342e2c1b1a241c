import { Fault } from "../../rules/fault.ts";
import { createDelimiterSearch } from "./delimiter-search.ts";

/** The body of a form as sections with delimiter lines between them: preamble, parts, epilogue. */
export interface Delimited {
  /** The next bytes of the section, or undefined when a delimiter line ends it. */
  piece(): Promise<Buffer | undefined>;
  /** Whether the delimiter that ended the section is the closing one. */
  closed(): boolean;
  /**
   * Past a delimiter: everything up to the next empty line, and the start of the section after it.
   * Fault "invalid": it has more than `maxBytes` bytes.
   */
  head(maxBytes: number): Promise<Buffer>;
  /** Past the closing delimiter: the next bytes, or undefined at the end of the body. */
  rest(): Promise<Buffer | undefined>;
  /** Cancels the body if it is not read to its end. Never throws. */
  close(): Promise<void>;
}

const EMPTY = Buffer.alloc(0);
const LINE_END = Buffer.from("\r\n");
const HEAD_END = Buffer.from("\r\n\r\n");

/**
 * Reads a body only as it is asked for. Faults, from all of its functions: "invalid" when the body
 * ends too soon or the connection breaks.
 *
 * Between calls it holds at most one chunk of the body and a delimiter line's beginning. The pieces
 * are views of the chunks that came, good until the next piece is asked for: the chunks are its own
 * and their memory is given back then.
 */
export function createDelimited(body: AsyncIterable<Uint8Array>, boundary: string): Delimited {
  const source = body[Symbol.asyncIterator]();
  const search = createDelimiterSearch(boundary);
  // A section starts with a line end that is not part of it, so that a delimiter in its very
  // first line is found like any other. The body's start gets a line end for this.
  let buffer: Buffer = LINE_END;
  let toSkip = LINE_END.length;
  let delimiter: "none" | "between" | "closing" = "none";
  let ended = false;

  /** What came last, and whose pieces have all been used once nothing of it is in the buffer. */
  let chunk: Buffer = EMPTY;

  async function fill(): Promise<boolean> {
    if (ended) return false;
    if (buffer.length === 0) {
      buffer = EMPTY;
      release(chunk);
      chunk = EMPTY;
    }
    const next = await nextOf(source);
    if (next.done) {
      ended = true;
      return false;
    }
    chunk = viewOf(next.value);
    buffer = buffer.length === 0 ? chunk : Buffer.concat([buffer, chunk]);
    return true;
  }

  function take(length: number): Buffer {
    const taken = buffer.subarray(0, length);
    buffer = buffer.subarray(length);
    return taken;
  }

  function takeContent(length: number): Buffer {
    const skipped = Math.min(toSkip, length);
    toSkip -= skipped;
    return take(length).subarray(skipped);
  }

  return {
    async piece() {
      while (delimiter === "none") {
        const found = search.first(buffer);
        const content = takeContent(found.at);
        if (content.length > 0) return content;
        if (found.at > 0) continue;
        if (found.delimiter !== undefined) {
          take(found.delimiter.length);
          delimiter = found.delimiter.closing ? "closing" : "between";
        } else if (!(await fill())) {
          if (!search.closesAtEnd(buffer)) throw cutShort();
          buffer = EMPTY;
          delimiter = "closing";
        }
      }
      return undefined;
    },

    closed: () => delimiter === "closing",

    async head(maxBytes) {
      const longest = LINE_END.length + maxBytes + HEAD_END.length;
      const find = (): number => buffer.subarray(0, longest).indexOf(HEAD_END);
      let end = find();
      while (end === -1) {
        if (buffer.length >= longest) {
          throw new Fault("invalid", `The headers of a part have more than ${maxBytes} bytes.`);
        }
        if (!(await fill())) throw cutShort();
        end = find();
      }
      // The second line end of the empty line stays: the next section starts with it.
      const head = take(end + LINE_END.length).subarray(
        LINE_END.length,
        Math.max(end, LINE_END.length),
      );
      toSkip = LINE_END.length;
      delimiter = "none";
      return head;
    },

    async rest() {
      if (buffer.length === 0 && !(await fill())) return undefined;
      return take(buffer.length);
    },

    async close() {
      if (ended) return;
      ended = true;
      try {
        await source.return?.();
      } catch {
        // The body is not needed any more, so its error does not matter.
      }
    },
  };
}

async function nextOf(source: AsyncIterator<Uint8Array>): Promise<IteratorResult<Uint8Array>> {
  try {
    return await source.next();
  } catch (cause) {
    if (cause instanceof Fault) throw cause;
    throw new Fault("invalid", "The connection broke before the whole body had come.", { cause });
  }
}

/**
 * Frees the memory now: before the next garbage collection, a fast sender's chunks would pile up.
 */
function release({ buffer, byteLength }: Buffer): void {
  if (byteLength === 0 || buffer.byteLength !== byteLength) return;
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}

function viewOf(chunk: Uint8Array): Buffer {
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}

function cutShort(): Fault {
  return new Fault(
    "invalid",
    "The body ended before the closing boundary: the upload was cut short or its boundary is wrong.",
  );
}
