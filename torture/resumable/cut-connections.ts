import { join } from "node:path";
import { forEachConcurrently } from "../../server/lib/for-each-concurrently.ts";
import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import { head } from "../../test/raw.ts";
import { checkServer } from "../check-server.ts";
import { bytesOf, newContent } from "../content.ts";
import { sendCutRequest } from "../cut-request.ts";
import { emptyInventory } from "../inventory.ts";
import { openDescriptors, residentMemory, waitForDescriptors } from "../process-state.ts";
import { chance, pickOne, randomInt } from "../random.ts";
import { createResultCounter, type ResultCounter } from "../result-counter.ts";
import { type ServerProcess, startServer } from "../server-process.ts";
import type { Row, Scale } from "../trial.ts";
import { withContent } from "./contents.ts";
import { countExpiry } from "./count-expiry.ts";
import { type TrackedUpload, trackUpload } from "./track-upload.ts";
import { createUpload, OFFSET_TYPE } from "./upload-client.ts";

/** The server keeps files open for up to 2 seconds after the last request to an upload. */
const KEPT_OPEN_MS = 3000;
/** Background jobs have a file open now and then, and idle threads end after 10 seconds. */
const CLOSE_TIMEOUT_MS = 15_000;
const CONCURRENCY = 32;
/** Connections that one upload loses at most. */
const MAX_CUTS = 12;
/** Share of the uploads that their clients give up. */
const ABANDONED = 0.1;

/**
 * Resumable uploads whose connections break at random bytes, with FIN or RST. The client continues
 * where the server says, or gives up.
 */
export async function cutConnections(scale: Scale): Promise<Row> {
  const results = createResultCounter("resumable upload, connections cut");
  const folder = temporaryFolder();
  const dataPath = join(folder, "data");
  const env = { MAX_OPEN_UPLOADS: "1000000" };
  const server = await startServer(dataPath, { env });
  let [cuts, uploads, abandoned] = [0, 0, 0];
  let inventory = emptyInventory;

  async function uploadOnce(number: number): Promise<void> {
    const name = `${number}.bin`;
    // The first one starts the threads that large files need.
    const content = bytesOf(newContent(number === 0 ? LARGE_BYTES : someSize()));
    const path = await createUpload(server, { folder: "cut", name, size: content.length });
    const notes = { path, key: `cut/${name}`, content, acknowledged: 0 };
    const upload = trackUpload(notes, (text) => countLoss(results, text));
    let sent = 0;
    for (let left = randomInt(1, MAX_CUTS + 1); left > 0 && !upload.isComplete; left -= 1) {
      sent = await cutOnce(server, upload, sent, results);
      cuts += 1;
    }
    uploads += 1;
    // The server may not have read everything yet.
    if (sent < content.length && chance(ABANDONED)) {
      abandoned += 1;
      return;
    }
    await upload.finish(server);
    inventory = withContent(inventory, upload.key, content);
  }

  try {
    const tries = scale.tries(10_000, 300);
    // Descriptors that stay open after the first requests are not a leak.
    await forEachConcurrently(Array(CONCURRENCY).keys(), CONCURRENCY, uploadOnce);
    await Bun.sleep(KEPT_OPEN_MS);
    const before = { descriptors: openDescriptors(server.pid), memory: residentMemory(server.pid) };
    cuts = 0;
    let number = CONCURRENCY;
    await forEachConcurrently(Array(CONCURRENCY).keys(), CONCURRENCY, async () => {
      while (cuts < tries) {
        number += 1;
        try {
          await uploadOnce(number);
        } catch (error) {
          results.problem(error instanceof Error ? error.message : String(error));
          return;
        }
        if (number % 200 === 0) scale.progress(`${cuts} connections cut`);
      }
    });
    results.count("at the end", await checkServer(server, inventory));
    await Bun.sleep(KEPT_OPEN_MS);
    const memory = residentMemory(server.pid);
    const descriptors = await waitForDescriptors(server.pid, before.descriptors, CLOSE_TIMEOUT_MS);
    const leaked = descriptors - before.descriptors;
    if (leaked > 0) results.problem(`${leaked} more descriptors are open than before.`);
    await countExpiry(server, results);
    const note = `${uploads} uploads, ${abandoned} given up; memory ${Math.round(before.memory)} → ${Math.round(memory)} MB`;
    return { ...results.row(note), tries: cuts };
  } finally {
    await server.kill();
    removeFolder(folder);
  }
}

const countLoss = (results: ResultCounter, text: string): void =>
  results.count("cut", { lost: [text], extra: [], leftovers: [] });

const LARGE_BYTES = 20_000_000;

/** Mostly small; a few are large enough for offsets that are recorded during a request. */
const someSize = (): number =>
  chance(0.02)
    ? randomInt(17_000_000, 40_000_000)
    : pickOne([randomInt(1, 2_000), randomInt(1, 100_000), randomInt(1, 1_500_000)]);

/**
 * Sends some of the next bytes, disconnects, and asks for the offset. Takes and returns the end of the
 * bytes that the server may keep.
 */
async function cutOnce(
  server: ServerProcess,
  upload: TrackedUpload,
  sentBefore: number,
  results: ResultCounter,
): Promise<number> {
  const { acknowledged, content, path, key } = upload;
  const rest = content.subarray(acknowledged);
  const body = chance(0.5) ? rest : rest.subarray(0, randomInt(1, rest.length + 1));
  const chunked = chance(0.5);
  const hasChecksum = chance(0.15);
  const start = head("PATCH", path, [
    ["Tus-Resumable", "1.0.0"],
    ["Upload-Offset", String(acknowledged)],
    ["Content-Type", OFFSET_TYPE],
    ...(hasChecksum ? [["Upload-Checksum", checksumOf(body)] as const] : []),
    chunked ? ["Transfer-Encoding", "chunked"] : ["Content-Length", String(body.length)],
  ]);
  const end = pickOne([
    () => -randomInt(1, start.length),
    () => 0,
    () => randomInt(0, body.length),
    () => body.length - 1,
    () => body.length,
  ])();
  await sendCutRequest(server, { start, body, chunked, end });
  if (chance(0.3)) await Bun.sleep(randomInt(0, 50));
  const { offset, status } = await upload.ask(server);
  if (status !== 200) results.problem(`${key}: HEAD responded with ${status}.`);
  // A body with a checksum is kept completely or not at all.
  const kept = hasChecksum && end < body.length ? 0 : Math.max(end, 0);
  const sent = Math.max(sentBefore, acknowledged + kept);
  if (offset > sent) countLoss(results, `${key}: ${offset} bytes are kept, but ${sent} were sent.`);
  return sent;
}

const checksumOf = (bytes: Uint8Array): string =>
  `sha256 ${new Bun.CryptoHasher("sha256").update(bytes).digest("base64")}`;
