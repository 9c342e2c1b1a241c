import { apt, areOnPath, hasApt, unpackPackages } from "./unpack-packages.mjs";

const packages = ["radosgw", "ceph-mon", "ceph-osd", "ceph-common"];
const programs = ["radosgw", "radosgw-admin", "ceph-mon", "ceph-osd", "ceph", "monmaptool"];

/**
 * Makes sure that the tests find a real S3 server, which is Ceph's: the one of this machine, or
 * Debian's packages, installed where that may be done and else unpacked into a folder of ours.
 * HOLDALL_CEPH names that folder then. Returns whether there is one.
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
