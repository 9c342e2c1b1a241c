import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "./expectations.ts";
import { freePort } from "./free-port.fixture.ts";
import { killAfterRun, temporaryFolder } from "./harness.ts";
import { installedProgram } from "./installed-program.ts";
import { isMissing } from "./reason-to-skip.fixture.ts";

export interface Nginx {
  readonly url: string;
  readonly port: number;
  stop(): Promise<void>;
}

const program = installedProgram("nginx");

/** Tests are skipped without it. */
export const hasNginx = !isMissing("nginx", program !== undefined);

/**
 * Starts an nginx with these lines in its `server` block, and `others` beside it.
 */
export async function startNginx(lines: string, others = ""): Promise<Nginx> {
  if (program === undefined) throw new Error("There is no nginx on this machine.");
  const folder = temporaryFolder();
  mkdirSync(join(folder, "temp"));
  const port = await freePort();
  const asRoot = process.getuid?.() === 0 ? "user root;" : "";
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/temp/${name};`,
  );
  const config = `
    ${asRoot}
    daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;
    events { worker_connections 256; }
    http {
      access_log off; sendfile on;
      ${temporary.join("\n")}
      ${others}
      server { listen 127.0.0.1:${port}; ${lines} }
    }`;
  writeFileSync(join(folder, "nginx.conf"), config);
  const child = spawn(program, ["-p", folder, "-c", join(folder, "nginx.conf")], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  killAfterRun(child);
  const url = `http://127.0.0.1:${port}`;
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  await eventually("nginx answers", () => fetch(url).then(Boolean, () => false), 10_000);
  return {
    url,
    port,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
