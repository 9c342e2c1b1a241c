/**
 * What the runtime reads from the environment when it starts; the image and the unit in `deploy/`
 * say the same. On a machine of 16 GB or more it lets its heap grow to four times of what is in use
 * before it collects; like this it grows as it would on a small machine, and new objects are looked
 * through each time that there are 12 MB of them. And it has as many threads for files as there are
 * cores, though they do not compute, but wait for the disk.
 */
export const runtimeSettings = {
  BUN_JSC_heapGrowthFunctionThresholdInMB: "1048576",
  BUN_JSC_smallHeapGrowthFactor: "1.75",
  BUN_JSC_gcMaxHeapSize: "12000000",
  UV_THREADPOOL_SIZE: "8",
};
