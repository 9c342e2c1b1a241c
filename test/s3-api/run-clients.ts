/* Runs clients that speak S3 against a server. Arguments: names of clients, default all; `--short`. */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { removeFolder, temporaryFolder } from "../harness.ts";
import { clientPrograms } from "./client-programs.ts";
import { createClientRun, type S3ClientProgram } from "./client-run.ts";
import { type S3TestServer, startS3Server } from "./s3-server.fixture.ts";

const SIZE = { files: 5000, bytes: 1024 ** 3 };
/** Large enough for uploads in parts. */
const SHORT_SIZE = { files: 200, bytes: 256 * 1024 ** 2 };

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { short: { type: "boolean", default: false } },
});
const size = values.short ? SHORT_SIZE : SIZE;
const names = clientPrograms.map(({ name }) => name);
const unknown = wanted.find((name) => !names.includes(name));
if (unknown !== undefined) {
  console.error(`${unknown} is not a client. The clients are ${names.join(", ")}.`);
  process.exit(2);
}
const shared = await startS3Server();
const folder = temporaryFolder();
let failed = 0;
for (const client of clientPrograms) {
  const { name } = client;
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const reason = reasonToSkip(client);
  if (reason !== undefined) {
    console.log(`skipped  ${name}: ${reason}`);
    continue;
  }
  const start = performance.now();
  const own = join(folder, name);
  mkdirSync(own);
  const server = await serverFor(client);
  try {
    await client.steps(createClientRun(client, server, own, size));
    console.log(`passed   ${name} in ${((performance.now() - start) / 1000).toFixed(0)} s`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED   ${name}\n${error instanceof Error ? error.message : error}`);
  }
  if (server !== shared) await server.discard();
}

async function serverFor({ port }: S3ClientProgram): Promise<S3TestServer> {
  return port === undefined ? shared : startS3Server({ PORT: String(port) });
}

function reasonToSkip({ probe, missing }: S3ClientProgram): string | undefined {
  const [program, ...args] = probe ?? [];
  if (program === undefined || spawnSync(program, args).status === 0) return missing?.();
  return "it is not installed";
}

await shared.discard();
removeFolder(folder);
process.exit(failed === 0 ? 0 : 1);
