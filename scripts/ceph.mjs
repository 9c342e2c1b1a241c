import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root } from "./install.mjs";

const PACKAGES = ["radosgw", "ceph-mon", "ceph-osd", "ceph-common"];
const PROGRAMS = ["radosgw", "radosgw-admin", "ceph-mon", "ceph-osd", "ceph", "monmaptool"];

/**
 * Makes sure that the tests find a real S3 server, which is Ceph's: the one of this machine, or
 * Debian's packages, installed where that may be done and else unpacked into a folder of ours.
 * HOLDALL_CEPH names that folder then. Returns whether there is one.
 */
export function provideCeph() {
  if (process.env.HOLDALL_CEPH !== undefined || areOnPath()) return true;
  if (process.platform !== "linux" || spawnSync("apt-get", ["--version"]).status !== 0)
    return false;
  if (process.getuid?.() === 0) {
    console.error("Installing Ceph's S3 server for the tests (once) …");
    apt(["update"]);
    apt(["install", "--yes", "--no-install-recommends", ...PACKAGES]);
    return areOnPath();
  }
  const folder = unpacked();
  if (folder !== undefined) process.env.HOLDALL_CEPH = folder;
  return folder !== undefined;
}

function areOnPath() {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return PROGRAMS.every((name) => folders.some((folder) => existsSync(join(folder, name))));
}

function apt(args) {
  return spawnSync("apt-get", ["-q", ...args], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
}

/** The folder with the packages and all that they need and this machine lacks, without any rights. */
function unpacked() {
  const folder = join(root, "node_modules", ".cache", "ceph");
  if (existsSync(folder)) return folder;
  console.error("Fetching Ceph's S3 server for the tests (once) …");
  const work = `${folder}.new`;
  rmSync(work, { recursive: true, force: true });
  for (const name of ["lists/partial", "archives/partial", "root"]) {
    mkdirSync(join(work, name), { recursive: true });
  }
  const own = [
    `Dir::State::lists=${join(work, "lists")}`,
    `Dir::Cache::archives=${join(work, "archives")}`,
    "Dir::Cache::pkgcache=",
    "Dir::Cache::srcpkgcache=",
    "Debug::NoLocking=true",
  ].flatMap((option) => ["-o", option]);
  apt([...own, "update"]);
  apt([...own, "install", "--yes", "--download-only", "--no-install-recommends", ...PACKAGES]);
  const archives = readdirSync(join(work, "archives")).filter((name) => name.endsWith(".deb"));
  for (const name of archives) {
    spawnSync("dpkg-deb", ["--extract", join(work, "archives", name), join(work, "root")], {
      stdio: ["ignore", "ignore", "inherit"],
    });
  }
  const isThere = PROGRAMS.every((name) => existsSync(join(work, "root", "usr", "bin", name)));
  if (isThere) renameSync(join(work, "root"), folder);
  rmSync(work, { recursive: true, force: true });
  return isThere ? folder : undefined;
}
