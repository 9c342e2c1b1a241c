import { bodyCut } from "../../domain/faults/connection-closed.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { freeMemory } from "../../lib/free-memory.ts";
import { createDelimiterSearch } from "./delimiter-search.ts";

/** Reads the sections of a form's body, separated by delimiter lines: preamble, parts, epilogue. */
export interface Delimited {
  /** The next bytes of the section; undefined: a delimiter line ends it. */
  piece(): Promise<Buffer | undefined>;
  /** Whether the closing delimiter ended the section. */
  isClosed(): boolean;
  /**
   * Call after a delimiter: reads the part's headers up to the empty line, and starts the next section.
   * Fault "invalid": the headers have more than `maxBytes` bytes.
   */
  head(maxBytes: number): Promise<Buffer>;
  /** Call after the closing delimiter: the next bytes; undefined: the body has ended. */
  rest(): Promise<Buffer | undefined>;
  /** Cancels the body unless it has been read to its end. Never throws. */
  close(): Promise<void>;
}

const EMPTY = Buffer.alloc(0);
const LINE_END = Buffer.from("\r\n");
const HEAD_END = Buffer.from("\r\n\r\n");

/**
 * Reads a body on demand. Every function may throw Fault "invalid": the body ends too soon or the
 * connection breaks.
 *
 * Buffers at most one chunk of the body and the start of a delimiter line. Pieces are views of the
 * chunks and valid until the next piece is requested: the reader owns the chunks and frees them then.
 */
export function createDelimited(body: AsyncIterable<Uint8Array>, boundary: string): Delimited {
  const source = body[Symbol.asyncIterator]();
  const search = createDelimiterSearch(boundary);
  // Each section is searched with the line end before it, so that a delimiter in its first line is
  // found like any other. For this, a line end is put before the body.
  let buffer: Buffer = LINE_END;
  let toSkip = LINE_END.length;
  let delimiter: "none" | "between" | "closing" = "none";
  let ended = false;

  /** The last chunk. Once `buffer` is empty, none of its pieces is in use. */
  let chunk: Buffer = EMPTY;

  async function fill(): Promise<boolean> {
    if (ended) return false;
    if (buffer.length === 0) {
      buffer = EMPTY;
      freeMemory(chunk);
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
          if (!search.closesAtEnd(buffer)) throw truncated();
          buffer = EMPTY;
          delimiter = "closing";
        }
      }
      return undefined;
    },

    isClosed: () => delimiter === "closing",

    async head(maxBytes) {
      const maxLength = LINE_END.length + maxBytes + HEAD_END.length;
      const find = (): number => buffer.subarray(0, maxLength).indexOf(HEAD_END);
      let end = find();
      while (end === -1) {
        if (buffer.length >= maxLength) {
          throw new Fault("invalid", `The headers of a part have more than ${maxBytes} bytes.`);
        }
        if (!(await fill())) throw truncated();
        end = find();
      }
      // Keeps the line end of the empty line: the next section starts with it.
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
        // The body is no longer needed, so its error does not matter.
      }
    },
  };
}

async function nextOf(source: AsyncIterator<Uint8Array>): Promise<IteratorResult<Uint8Array>> {
  try {
    return await source.next();
  } catch (cause) {
    if (cause instanceof Fault) throw cause;
    throw bodyCut(cause);
  }
}

function viewOf(chunk: Uint8Array): Buffer {
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}

function truncated(): Fault {
  return new Fault(
    "invalid",
    "The body ended before the closing boundary: the upload was truncated or its boundary is wrong.",
  );
}
