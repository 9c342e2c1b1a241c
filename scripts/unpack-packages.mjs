import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root } from "./install.mjs";

/** Whether this is Debian or a derivative. */
export const hasApt = () =>
  process.platform === "linux" && spawnSync("apt-get", ["--version"]).status === 0;

/** Whether all these programs are on the PATH. */
export function areOnPath(programs) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return programs.every((name) => folders.some((folder) => existsSync(join(folder, name))));
}

export function apt(args) {
  return spawnSync("apt-get", ["-q", ...args], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
}

/**
 * Downloads these packages with their missing dependencies and unpacks them into the cache folder
 * `name`, once, without root and without starting services. undefined if the programs are not there.
 */
export function unpackPackages(name, { packages, programs }) {
  const folder = join(root, "node_modules", ".cache", name);
  if (existsSync(folder)) return folder;
  const work = `${folder}.new`;
  rmSync(work, { recursive: true, force: true });
  for (const inside of ["lists/partial", "archives/partial", "root"]) {
    mkdirSync(join(work, inside), { recursive: true });
  }
  const own = [
    `Dir::State::lists=${join(work, "lists")}`,
    `Dir::Cache::archives=${join(work, "archives")}`,
    "Dir::Cache::pkgcache=",
    "Dir::Cache::srcpkgcache=",
    "Debug::NoLocking=true",
    ...(process.getuid?.() === 0 ? ["APT::Sandbox::User=root"] : []),
  ].flatMap((option) => ["-o", option]);
  apt([...own, "update"]);
  apt([...own, "install", "--yes", "--download-only", "--no-install-recommends", ...packages]);
  const archives = readdirSync(join(work, "archives")).filter((each) => each.endsWith(".deb"));
  for (const archive of archives) {
    spawnSync("dpkg-deb", ["--extract", join(work, "archives", archive), join(work, "root")], {
      stdio: ["ignore", "ignore", "inherit"],
    });
  }
  const isThere = programs.every((each) => existsSync(join(work, "root", "usr", "bin", each)));
  if (isThere) renameSync(join(work, "root"), folder);
  rmSync(work, { recursive: true, force: true });
  return isThere ? folder : undefined;
}
