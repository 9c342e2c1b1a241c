/** Values in one statement: engines limit their number. */
const MAX_VALUES = 500;

/** The list in chunks that fit into one statement each. */
export function* chunks<T>(list: readonly T[], size = MAX_VALUES): Generator<T[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size);
}

/** Items in one prepared statement: each number of them is a statement of its own. */
const MAX_ITEMS = 128;

/**
 * The list in chunks whose lengths are powers of two, so that lists of any length share a few
 * prepared statements.
 */
export function* evenChunks<T>(list: readonly T[]): Generator<T[]> {
  for (let start = 0; start < list.length; ) {
    const size = Math.min(MAX_ITEMS, 2 ** Math.floor(Math.log2(list.length - start)));
    yield list.slice(start, start + size);
    start += size;
  }
}

/**
 * Like `evenChunks`, in fewer chunks: the last one is filled up by repeating its last item. For
 * lists in which repetitions make no difference.
 */
export function* paddedChunks<T>(list: readonly T[]): Generator<T[]> {
  for (const chunk of chunks(list, MAX_ITEMS)) {
    const size = 2 ** Math.ceil(Math.log2(chunk.length));
    const last = chunk.slice(-1);
    while (chunk.length < size) chunk.push(...last);
    yield chunk;
  }
}
