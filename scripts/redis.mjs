import { areOnPath, hasApt, unpackPackages } from "./unpack-packages.mjs";

const packages = ["redis-server"];
const programs = ["redis-server"];

/**
 * Makes sure that the tests find a real Redis: the one of this machine, or Debian's package in a
 * folder of ours, which HOLDALL_REDIS names then. It is never installed: the package would start a
 * server by itself. Returns whether there is one.
 */
export function provideRedis() {
  if (process.env.HOLDALL_REDIS !== undefined || areOnPath(programs)) return true;
  if (!hasApt()) return false;
  console.error("Fetching Redis for the tests, unless that has been done …");
  const folder = unpackPackages("redis", { packages, programs });
  if (folder !== undefined) process.env.HOLDALL_REDIS = folder;
  return folder !== undefined;
}
