import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "./expectations.ts";
import { freePort } from "./free-port.fixture.ts";
import { killAfterRun, removeFolder, temporaryFolder } from "./harness.ts";
import { installedProgram } from "./installed-program.ts";
import { isMissing } from "./reason-to-skip.fixture.ts";

export interface Varnish {
  readonly url: string;
  stop(): Promise<void>;
}

const program = installedProgram("varnishd");

/** Tests are skipped without it. */
export const hasVarnish = !isMissing("varnish", program !== undefined);

/** Starts a Varnish with its own rules before the server at this port. `X-Cache` says HIT or MISS. */
export async function startVarnish(server: { readonly port: number }): Promise<Varnish> {
  if (program === undefined) throw new Error("There is no Varnish on this machine.");
  const folder = temporaryFolder();
  const port = await freePort();
  const rules = join(folder, "rules.vcl");
  writeFileSync(
    rules,
    `vcl 4.1;
     backend default { .host = "127.0.0.1"; .port = "${server.port}"; }
     sub vcl_deliver {
       if (obj.hits > 0) { set resp.http.X-Cache = "HIT"; } else { set resp.http.X-Cache = "MISS"; }
     }`,
  );
  const listen = ["-a", `127.0.0.1:${port}`, "-f", rules, "-s", "malloc,32m"];
  // As root, it would give its folder to a user of its package.
  const jail = process.getuid?.() === 0 ? ["-j", "none"] : [];
  const child = spawn(program, [...jail, "-F", "-n", join(folder, "work"), ...listen], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  killAfterRun(child);
  const url = `http://127.0.0.1:${port}`;
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  await eventually("Varnish answers", () => fetch(url).then(Boolean, () => false), 30_000);
  return {
    url,
    async stop() {
      child.kill("SIGTERM");
      await ended;
      removeFolder(folder);
    },
  };
}
