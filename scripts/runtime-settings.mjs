/**
 * Environment variables that tune the runtime before it starts. The Dockerfile and the systemd unit
 * set the same values. On machines with 16 GB or more, the engine lets the heap grow to four times
 * the live data before it collects; these settings make it grow as on a small machine, and collect
 * new objects every 12 MB. The file threads mostly wait for the disk, so there are more of them
 * than cores. The executable also works without these settings, with more memory. The measurements
 * are in bench/README.md.
 */
export const runtimeSettings = {
  BUN_JSC_heapGrowthFunctionThresholdInMB: "1048576",
  BUN_JSC_smallHeapGrowthFactor: "1.75",
  BUN_JSC_gcMaxHeapSize: "12000000",
  UV_THREADPOOL_SIZE: "8",
};
