/**
 * Finds delimiter lines (RFC 2046, section 5.1.1) in the bytes of a body.
 *
 * A delimiter is a whole line: "--", the boundary, "--" if it is the closing delimiter, and at most 64
 * spaces or tabs of transport padding. The closing delimiter may also end with the body. A line that
 * only begins like a delimiter is content. So content is never cut and parts are never joined, unless
 * the content has a line that is identical to a delimiter.
 */
export interface DelimiterSearch {
  /**
   * The length of the content at the start of the buffer: up to a delimiter, up to what may be the
   * start of a delimiter, or the whole buffer. A delimiter's `length` includes the line end before it
   * but not the one after it.
   */
  first(buffer: Buffer): Found;
  /**
   * Whether the buffer is a closing delimiter if the body ends here. Call it only if `first` returned 0
   * without a delimiter.
   */
  closesAtEnd(buffer: Buffer): boolean;
}

export interface Found {
  readonly at: number;
  readonly delimiter: { readonly length: number; readonly closing: boolean } | undefined;
}

const CR = 0x0d;
const COMPLETE = /^(--)?[ \t]{0,64}(?=\r\n)/;
const UNDECIDED = /^(?:-|(?:--)?[ \t]{0,64}\r?)$/;
const CLOSED = /^--[ \t]{0,64}$/;
/** One more than the longest match of the patterns above. */
const LOOKAHEAD = 69;

export function createDelimiterSearch(boundary: string): DelimiterSearch {
  const needle = Buffer.from(`\r\n--${boundary}`, "latin1");

  const after = (buffer: Buffer, at: number): string =>
    buffer.toString("latin1", at + needle.length, at + needle.length + LOOKAHEAD);

  /** Where a needle may start whose end is not in the buffer yet. Its only CR is its first byte. */
  function partialMatch(buffer: Buffer): number {
    const start = Math.max(0, buffer.length - needle.length + 1);
    const tail = buffer.subarray(start);
    const cr = tail.lastIndexOf(CR);
    if (cr === -1) return buffer.length;
    const begins = tail.subarray(cr).equals(needle.subarray(0, tail.length - cr));
    return begins ? start + cr : buffer.length;
  }

  return {
    first(buffer) {
      let at = buffer.indexOf(needle);
      for (; at !== -1; at = buffer.indexOf(needle, at + needle.length)) {
        const following = after(buffer, at);
        const complete = COMPLETE.exec(following);
        if (complete !== null) {
          const length = needle.length + complete[0].length;
          return { at, delimiter: { length, closing: complete[1] !== undefined } };
        }
        if (UNDECIDED.test(following)) return { at, delimiter: undefined };
      }
      return { at: partialMatch(buffer), delimiter: undefined };
    },

    closesAtEnd: (buffer) => CLOSED.test(after(buffer, 0)),
  };
}
