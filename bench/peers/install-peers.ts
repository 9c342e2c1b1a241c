import { spawnSync } from "node:child_process";

/** Programs and the Debian packages that have them. */
const FILE_SERVERS = { nginx: "nginx", caddy: "caddy", wrk: "wrk" };

/** Installs the Debian packages of missing programs. Throws an error that names them when it may not. */
export function installPeers(packageOf: Readonly<Record<string, string>> = FILE_SERVERS): void {
  const missing = Object.entries(packageOf)
    .filter(([program]) => Bun.which(program) === null)
    .map(([, name]) => name);
  if (missing.length === 0) return;
  const wish = `This bench needs the Debian packages ${missing.join(", ")}`;
  if (process.getuid?.() !== 0 || Bun.which("apt-get") === null) {
    throw new Error(`${wish}: install them, or run it as root where apt-get is.`);
  }
  console.log(`Installing ${missing.join(", ")} …`);
  // The bench runs them itself, so keep the packages from starting services.
  const install = `printf '#!/bin/sh\\nexit 101\\n' > /usr/sbin/policy-rc.d && chmod +x /usr/sbin/policy-rc.d
    apt-get update -q && apt-get install -qy --no-install-recommends ${missing.join(" ")}
    code=$?; rm -f /usr/sbin/policy-rc.d; exit $code`;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const { status, stderr } = spawnSync("sh", ["-c", install], { env, encoding: "utf8" });
  if (status !== 0) throw new Error(`${wish}, which apt-get did not install:\n${stderr}`);
}
