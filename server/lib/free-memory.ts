/**
 * Frees the memory of a chunk that is not needed any more, if the chunk is all of it. A fast sender's
 * chunks would pile up before the next garbage collection. A smaller heap and `--smol` took many times the memory that this
 * takes.
 */
export function freeMemory({ buffer, byteLength }: Uint8Array): void {
  if (byteLength === 0 || buffer.byteLength !== byteLength) return;
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}
