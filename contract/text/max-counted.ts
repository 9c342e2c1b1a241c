/** A search counts no more results than this. */
export const MAX_COUNTED = 10_000;
