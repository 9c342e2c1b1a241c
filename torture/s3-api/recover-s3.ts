import { checkServer, type Findings } from "../check-server.ts";
import { compare, type Inventory } from "../inventory.ts";
import { findLeftoversAfterStop } from "../leftovers.ts";
import { readInventory } from "../read-inventory.ts";
import { leftAfterExpiry } from "../resumable/expire.ts";
import { type ServerProcess, startServer } from "../server-process.ts";
import { runVerify } from "../verify/run-verify.ts";
import { checkParts, finishUploads } from "./finish-uploads.ts";
import { deleteObjects } from "./multipart-client.ts";
import { connectS3, elementsOf, expectStatus, type S3Client } from "./s3-client.ts";
import type { S3Scenario } from "./s3-scenarios.ts";
import { BUCKET, EXPLICIT, type S3Seed, withoutObjects } from "./s3-seed.ts";

export interface S3Recovery {
  readonly dataPath: string;
  readonly seed: S3Seed;
  readonly scenario: S3Scenario;
  /** Whether the client received the response. */
  readonly succeeded: boolean;
  /** Whether clients come back and complete everything; otherwise the uploads expire. */
  readonly completes: boolean;
}

/** Starts a server where another was killed, and checks everything that is promised about objects. */
export async function recoverS3(recovery: S3Recovery) {
  const { dataPath, seed, scenario, succeeded, completes } = recovery;
  const server = await startServer(dataPath);
  try {
    const s3 = connectS3(server, seed.credentials);
    const before = seed.inventory;
    const after = scenario.after?.(before, seed) ?? before;
    const found = await checkServer(server, ...(succeeded ? [after] : [before, after]));
    const broken = [
      ...(await checkListing(s3, await readInventory(server))),
      ...(await checkParts(s3, seed, scenario, succeeded)),
    ];
    const ended = completes ? await endAll(server, s3, recovery) : NOTHING;
    const code = await server.stop();
    const stopped = found.leftovers.length > 0 ? [] : findLeftoversAfterStop(dataPath);
    const expired = completes ? [] : await leftAfterExpiry(dataPath);
    const problems = [...broken, ...(await verifyProblems(dataPath))];
    if (code !== 0) problems.push(`the clean stop afterwards exited with ${code}.`);
    return {
      lost: [...found.lost, ...ended.lost],
      extra: [...found.extra, ...ended.extra],
      leftovers: [...found.leftovers, ...ended.leftovers, ...stopped, ...expired],
      problems,
    };
  } finally {
    await server.kill();
  }
}

const NOTHING: Findings = { lost: [], extra: [], leftovers: [] };

/** Completes the uploads, then deletes all objects: only explicit folders may remain of the bucket. */
async function endAll(
  server: ServerProcess,
  s3: S3Client,
  { seed, scenario }: S3Recovery,
): Promise<Findings> {
  const before = await readInventory(server);
  const { inventory, broken } = await finishUploads(s3, seed, scenario, before);
  const complete = await checkServer(server, inventory);
  const keys = [...inventory.files.keys()].filter((key) => key.startsWith(`${BUCKET}/`));
  const relative = keys.map((key) => key.slice(BUCKET.length + 1));
  const deleted = await deleteObjects(s3, BUCKET, relative);
  if (elementsOf(deleted, "Code").length > 0) throw new Error(deleted.text);
  const emptied = compare(withoutObjects(inventory, keys), await readInventory(server));
  return {
    lost: [...broken, ...complete.lost, ...emptied.lost],
    extra: [...complete.extra, ...emptied.extra],
    leftovers: complete.leftovers,
  };
}

/** The list of the bucket has the files and the explicit folder while it is empty, nothing else. */
async function checkListing(s3: S3Client, { files }: Inventory): Promise<string[]> {
  const answer = await s3.send("GET", BUCKET, { query: "list-type=2" });
  const listed = elementsOf(expectStatus(answer, 200), "Key");
  const keys = [...files.keys()].filter((key) => key.startsWith(`${BUCKET}/`));
  if (!keys.some((key) => key.startsWith(`${EXPLICIT}/`))) keys.push(`${EXPLICIT}/`);
  const wanted = keys.map((key) => key.slice(BUCKET.length + 1)).toSorted();
  return listed.join() === wanted.join() ? [] : [`The bucket lists ${listed}, not ${wanted}.`];
}

async function verifyProblems(dataPath: string): Promise<string[]> {
  const { code, lines, errors } = await runVerify(dataPath);
  return code === 0 ? [] : [`verify exited with ${code}: ${JSON.stringify(lines)} ${errors}`];
}
