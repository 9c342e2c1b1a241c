import { join } from "node:path";
import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import type { HttpResponse } from "../../test/http-response.ts";
import { checkServer, NEXT_SWEEP_MS, waitForNoLeftovers } from "../check-server.ts";
import { type ErrorInjection, errorInjectionArgs } from "../error-injection.ts";
import { emptyInventory, type Inventory } from "../inventory.ts";
import { createResultCounter } from "../result-counter.ts";
import { sampleEvenly } from "../sample-evenly.ts";
import { seededBytes } from "../seeded-bytes.ts";
import { type ServerProcess, startServer } from "../server-process.ts";
import { attachTracer } from "../tracer.ts";
import type { Row, Scale } from "../trial.ts";
import { withContent } from "./contents.ts";
import { countExpiry } from "./count-expiry.ts";
import { trackUpload } from "./track-upload.ts";
import { addMembers, commitBatch, createBatch, createUpload } from "./upload-client.ts";

const WRITES = 120;
const SIZE = 300_000;

/**
 * The catalog's volume is full from the n-th write on, during an upload in three requests and a batch.
 * What is refused gets 507 and works once there is space.
 */
export async function fillCatalogDuringUploads(scale: Scale): Promise<Row> {
  const results = createResultCounter("disk full, catalog, resumable uploads");
  const folder = temporaryFolder();
  const server = await startServer(join(folder, "data"));
  let inventory = emptyInventory;
  try {
    for (const write of sampleEvenly([...Array(WRITES).keys()], scale.tries(WRITES, 3))) {
      const what = `full from write ${write + 1} on`;
      try {
        inventory = await fillOnce(server, inventory, write + 1, (text) =>
          results.problem(`${what}: ${text}`),
        );
        results.count(what, { ...(await checkServer(server, inventory)), leftovers: [] });
      } catch (error) {
        results.problem(`${what}: ${error instanceof Error ? error.message : String(error)}`);
        break;
      }
    }
    // Blobs whose removal could not be recorded are left to the next sweep.
    const leftovers = await waitForNoLeftovers(server.dataPath, NEXT_SWEEP_MS);
    results.count("with space again", { lost: [], extra: [], leftovers });
    await countExpiry(server, results);
    return results.row();
  } finally {
    await server.kill();
    removeFolder(folder);
  }
}

const fullFrom = (server: ServerProcess, from: number): ErrorInjection => ({
  calls: ["pwrite64"],
  path: join(server.dataPath, "catalog.sqlite-wal"),
  error: "ENOSPC",
  from,
  every: 1,
});

async function fillOnce(
  server: ServerProcess,
  before: Inventory,
  write: number,
  onBroken: (text: string) => void,
): Promise<Inventory> {
  const root = `round-${write}`;
  const content = seededBytes(write, SIZE);
  const batch = await createBatch(server, root);
  const path = await createUpload(server, { folder: root, name: "upload.bin", size: SIZE });
  const notes = { path, key: `${root}/upload.bin`, content, acknowledged: 0 };
  const upload = trackUpload(notes, onBroken);
  const trace = await attachTracer(server.pid, errorInjectionArgs(fullFrom(server, write)));
  try {
    for (let part = 0; part < 3; part += 1) {
      const answer = await upload.send(server, SIZE / 3);
      expectAccepted(answer, 204);
      upload.note(answer);
      const { status } = await upload.ask(server);
      if (status !== 200) onBroken(`HEAD responded with ${status}.`);
      if (answer.status !== 204) break;
    }
    const added = await addMembers(server, batch, "", new Map([["member.bin", content]]));
    expectAccepted(added, 200);
    if (added.status === 200) expectAccepted(await commitBatch(server, batch), 200);
    await trace.detach();
    await upload.finish(server);
    if (added.status !== 200) await addAgain(server, batch, content);
    const committed = await commitBatch(server, batch);
    if (committed.status !== 200) throw new Error(`Commit: ${committed.text}`);
  } finally {
    await trace.detach();
  }
  const key = `${root}/member.bin`;
  return withContent(withContent(before, upload.key, content), key, content);
}

async function addAgain(server: ServerProcess, batch: string, content: Uint8Array): Promise<void> {
  const answer = await addMembers(server, batch, "", new Map([["member.bin", content]]));
  if (answer.status !== 200) throw new Error(`Again: ${answer.status} ${answer.text}`);
}

/** Success, or the refusal for lack of space. */
function expectAccepted({ status, text }: HttpResponse, success: number): void {
  if (status !== success && status !== 507) throw new Error(`${status} ${text}`);
}
