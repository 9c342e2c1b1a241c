import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const PLACES = ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/bin/nginx"];

/** Makes sure that the tests find an nginx, where one may be installed. Returns whether there is one. */
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
