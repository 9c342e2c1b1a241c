/** Collects garbage and gives free memory back to the system. */
export function releaseMemory(): void {
  Bun.gc(true);
  Bun.shrink();
}
