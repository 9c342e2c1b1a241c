/**
 * Finds delimiter lines (RFC 2046, section 5.1.1) in the bytes of a body.
 *
 * A delimiter is a whole line: "--", the boundary, "--" if it is the closing one, and blanks that
 * were added on the way, at most 64. The closing one may also be ended by the end of the body. A
 * line that only begins like one is content: so no content is ever cut, and no two parts are ever
 * joined, except where the content has a line that cannot be told from a delimiter.
 */
export interface DelimiterSearch {
  /**
   * Where in the buffer content surely ends: at a delimiter, which is given with its length from
   * the line end before it up to the line end after it, or at what may yet become one, or at the
   * end of the buffer.
   */
  first(buffer: Buffer): Found;
  /**
   * Whether the buffer, in which `first` found 0 and no delimiter, is a closing delimiter when
   * nothing more comes.
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

  /** Where a needle may begin whose end has not come yet. It has one CR only, as its first byte. */
  function unfinished(buffer: Buffer): number {
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
      return { at: unfinished(buffer), delimiter: undefined };
    },

    closesAtEnd: (buffer) => CLOSED.test(after(buffer, 0)),
  };
}
