/* Runs programs that speak S3 against a server. Arguments: names of programs; default: all. */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { removeFolder, temporaryFolder } from "../harness.ts";
import { clientPrograms } from "./client-programs.ts";
import { createClientRun } from "./client-run.ts";
import { startS3Server } from "./s3-server.fixture.ts";

const wanted = process.argv.slice(2);
const server = await startS3Server();
const folder = temporaryFolder();
let failed = 0;
for (const client of clientPrograms) {
  const { name, probe } = client;
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const [program = "", ...args] = probe;
  if (spawnSync(program, args).status !== 0) {
    console.log(`skipped  ${name}: it is not installed`);
    continue;
  }
  const own = join(folder, name);
  mkdirSync(own);
  try {
    client.steps(createClientRun(client, server, own));
    console.log(`passed   ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED   ${name}\n${error instanceof Error ? error.message : error}`);
  }
}
await server.discard();
removeFolder(folder);
process.exit(failed === 0 ? 0 : 1);
