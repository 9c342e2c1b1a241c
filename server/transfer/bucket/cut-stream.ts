/** Cuts a stream into pieces. Each call returns the next `length` bytes, or what is left; all of it must be read before the next call. */
export function cutStream(chunks: AsyncIterator<Uint8Array>) {
  let rest: Uint8Array = new Uint8Array();
  return async function* next(length: number): AsyncGenerator<Uint8Array, void, void> {
    for (let left = length; left > 0; ) {
      if (rest.length === 0) {
        const read = await chunks.next();
        if (read.done) return;
        rest = read.value;
      }
      const piece = rest.subarray(0, left);
      rest = rest.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  };
}
