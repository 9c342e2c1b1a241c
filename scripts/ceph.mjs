import { apt, areOnPath, hasApt, unpackPackages } from "./unpack-packages.mjs";

const packages = ["radosgw", "ceph-mon", "ceph-osd", "ceph-common"];
const programs = ["radosgw", "radosgw-admin", "ceph-mon", "ceph-osd", "ceph", "monmaptool"];

/**
 * Provides Ceph, the S3 server of the tests: from the PATH, or from Debian's packages, which root
 * installs and others unpack into a cache folder that HOLDALL_CEPH names. Returns whether it exists.
 */
export function provideCeph() {
  if (process.env.HOLDALL_CEPH !== undefined || areOnPath(programs)) return true;
  if (!hasApt()) return false;
  console.error("Fetching Ceph's S3 server for the tests, unless that has been done …");
  if (process.getuid?.() === 0) {
    apt(["update"]);
    apt(["install", "--yes", "--no-install-recommends", ...packages]);
    return areOnPath(programs);
  }
  const folder = unpackPackages("ceph", { packages, programs });
  if (folder !== undefined) process.env.HOLDALL_CEPH = folder;
  return folder !== undefined;
}
