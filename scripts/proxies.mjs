import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const FOLDERS = ["/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin"];

export const provideNginx = () => provide("nginx", "nginx-light");

export const provideVarnish = () => provide("varnishd", "varnish");

/** Installs Debian's package of a program if it is missing and this is root. Returns whether it exists. */
function provide(program, debianPackage) {
  const isThere = () => FOLDERS.some((folder) => existsSync(`${folder}/${program}`));
  if (isThere() || process.getuid?.() !== 0) return isThere();
  console.error(`Installing ${debianPackage} for the tests (once) …`);
  for (const args of [["update"], ["install", "--yes", "--no-install-recommends", debianPackage]]) {
    spawnSync("apt-get", ["-q", ...args], {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    });
  }
  return isThere();
}
