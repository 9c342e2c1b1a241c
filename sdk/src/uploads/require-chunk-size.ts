/** RangeError: the chunk size is not a whole number of bytes, at least 1. */
export function requireChunkSize({ chunkSize }: { readonly chunkSize?: number | undefined }): void {
  if (chunkSize === undefined || (Number.isSafeInteger(chunkSize) && chunkSize > 0)) return;
  throw new RangeError(
    `\`chunkSize\` must be a whole number of bytes, at least 1, but is ${chunkSize}.`,
  );
}
