import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const PLACES = ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/bin/nginx"];

/** Installs nginx if it is missing and this is root. Returns whether it exists. */
export function provideNginx() {
  const isThere = () => PLACES.some((place) => existsSync(place));
  if (isThere() || process.getuid?.() !== 0) return isThere();
  console.error("Installing nginx for the tests (once) …");
  for (const args of [["update"], ["install", "--yes", "--no-install-recommends", "nginx-light"]]) {
    spawnSync("apt-get", ["-q", ...args], {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    });
  }
  return isThere();
}
