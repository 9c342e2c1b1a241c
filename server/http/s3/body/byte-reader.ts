import { S3Fault } from "../../../domain/faults/s3-fault.ts";

/** Reads lines and bytes from chunks of any size. */
export interface ByteReader {
  /**
   * The text up to the next CRLF, without it. S3Fault "IncompleteBody": the bytes end before;
   * "InvalidRequest": it is longer than `max`, or ends with another line break.
   */
  line(max: number): Promise<string>;
  /** Skips a CRLF. S3Fault "InvalidRequest": other bytes are next. */
  lineBreak(): Promise<void>;
  /** 1 to `max` bytes. S3Fault "IncompleteBody": there are none. */
  some(max: number): Promise<Uint8Array>;
  /** Whether no bytes are left. */
  isAtEnd(): Promise<boolean>;
  /** Releases the source. */
  close(): Promise<void>;
}

const EMPTY = new Uint8Array(0);
const CARRIAGE_RETURN = 13;
const LINE_FEED = 10;

export function createByteReader(source: AsyncIterable<Uint8Array>): ByteReader {
  const iterator = source[Symbol.asyncIterator]();
  let current: Uint8Array = EMPTY;

  async function isAtEnd(): Promise<boolean> {
    while (current.length === 0) {
      const next = await iterator.next();
      if (next.done === true) return true;
      current = next.value;
    }
    return false;
  }

  async function some(max: number): Promise<Uint8Array> {
    if (await isAtEnd()) throw incomplete();
    const bytes = current.subarray(0, max);
    current = current.subarray(bytes.length);
    return bytes;
  }

  return {
    isAtEnd,
    some,
    async lineBreak() {
      for (const expected of [CARRIAGE_RETURN, LINE_FEED]) {
        const [byte] = await some(1);
        if (byte !== expected) throw badFraming("a chunk does not end after its size");
      }
    },
    async line(max) {
      let text = "";
      for (;;) {
        if (await isAtEnd()) throw incomplete();
        const end = current.indexOf(LINE_FEED);
        const bytes = await some(end < 0 ? current.length : end + 1);
        if (text.length + bytes.length > max + 2) throw badFraming(`a line is longer than ${max}`);
        text += Buffer.from(bytes).toString("latin1");
        if (end < 0) continue;
        if (text.endsWith("\r\n")) return text.slice(0, -2);
        throw badFraming("a line does not end with CRLF");
      }
    },
    close: async () => void (await iterator.return?.()),
  };
}

export const incomplete = (cause?: unknown): S3Fault =>
  new S3Fault(
    "IncompleteBody",
    "The request body terminated unexpectedly: it has fewer bytes than announced.",
    { cause },
  );

export const badFraming = (why: string): S3Fault =>
  new S3Fault("InvalidRequest", `The body is not framed as aws-chunked: ${why}.`);
