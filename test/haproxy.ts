import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "./expectations.ts";
import { freePort } from "./free-port.fixture.ts";
import { killAfterRun, temporaryFolder } from "./harness.ts";
import { isMissing } from "./reason-to-skip.fixture.ts";

const program = ["/usr/sbin/haproxy", "/usr/local/sbin/haproxy"].find(existsSync);

/** Tests are skipped without it. */
export const hasHaproxy = !isMissing("HAProxy", program !== undefined);

/** Starts an HAProxy that checks the readiness of servers at these ports. Returns its address. */
export async function startHaproxy(ports: readonly number[]): Promise<string> {
  if (program === undefined) throw new Error("There is no HAProxy on this machine.");
  const port = await freePort();
  const file = join(temporaryFolder(), "haproxy.cfg");
  const servers = ports.map((each) => `server s${each} 127.0.0.1:${each} check`);
  const config = `
defaults
    mode http
    option redispatch
    timeout connect 5s
    timeout client 60s
    timeout server 60s
listen holdall
    bind 127.0.0.1:${port}
    option httpchk GET /api/health/ready
    ${servers.join("\n    ")}
`;
  writeFileSync(file, config);
  const child = spawn(program, ["-db", "-f", file], { stdio: ["ignore", "ignore", "ignore"] });
  killAfterRun(child);
  const url = `http://127.0.0.1:${port}`;
  await eventually("HAProxy answers", () => fetch(url).then(Boolean, () => false), 10_000);
  return url;
}
