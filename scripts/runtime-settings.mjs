/**
 * What the runtime reads from the environment when it starts. On a machine of 16 GB or more it lets
 * its heap grow to four times of what is in use before it collects; like this it grows as it would
 * on a small machine. The image and the unit in `deploy/` say the same.
 */
export const runtimeSettings = {
  BUN_JSC_heapGrowthFunctionThresholdInMB: "1048576",
  BUN_JSC_smallHeapGrowthFactor: "1.75",
};
