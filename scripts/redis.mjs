import { areOnPath, hasApt, unpackPackages } from "./unpack-packages.mjs";

const packages = ["redis-server"];
const programs = ["redis-server"];

/**
 * Provides Redis: from the PATH, or from Debian's package unpacked into a cache folder that
 * HOLDALL_REDIS names. It is not installed, because the package would start a server. Returns whether
 * it exists.
 */
export function provideRedis() {
  if (process.env.HOLDALL_REDIS !== undefined || areOnPath(programs)) return true;
  if (!hasApt()) return false;
  console.error("Fetching Redis for the tests, unless that has been done …");
  const folder = unpackPackages("redis", { packages, programs });
  if (folder !== undefined) process.env.HOLDALL_REDIS = folder;
  return folder !== undefined;
}
