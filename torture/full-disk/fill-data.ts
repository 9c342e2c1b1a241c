import { join } from "node:path";
import { eventually, expectFault } from "../../test/expectations.ts";
import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import { filePart, multipartEnd, multipartType, partHead } from "../../test/multipart.ts";
import { head, openRaw } from "../../test/raw.ts";
import { blobsOf } from "../../test/snapshot.ts";
import { checkServer, waitForNoLeftovers } from "../check-server.ts";
import { compare, emptyInventory, type Inventory } from "../inventory.ts";
import { readInventory } from "../read-inventory.ts";
import { createResultCounter } from "../result-counter.ts";
import { sampleEvenly } from "../sample-evenly.ts";
import { seededBytes } from "../seeded-bytes.ts";
import { type ServerProcess, startServer } from "../server-process.ts";
import type { Row, Scale } from "../trial.ts";
import { upload, withAnswer } from "../uploads.ts";
import { mountSmallVolume, type SmallVolume } from "./small-volume.ts";

const PAGE = 4096;
const PAGES = 200;
const VOLUME_MB = 8;
const MAX_RESETS = 10;

/** The blobs' volume becomes full during an upload, at each of the upload's first 200 pages. */
export async function fillData(scale: Scale): Promise<Row> {
  const results = createResultCounter("disk full, blobs");
  const folder = temporaryFolder();
  const dataPath = join(folder, "data");
  await (await startServer(dataPath)).stop();
  const volume = mountSmallVolume(join(dataPath, "blobs"), VOLUME_MB);
  let server = await startServer(dataPath);
  let resets = 0;
  try {
    const kept = new Map([["kept/file.bin", seededBytes(1, 100_000)]]);
    const inventory = withAnswer(emptyInventory, kept, await upload(server, kept));
    for (const pages of sampleEvenly([...Array(PAGES).keys()], scale.tries(PAGES, 10))) {
      const what = `full after ${pages} pages`;
      try {
        const outcome = await fillOnce(server, volume, inventory, pages);
        resets += outcome.resets;
        results.count(what, outcome.findings);
      } catch (error) {
        results.problem(`${what}: ${error instanceof Error ? error.message : String(error)}`);
      }
      volume.empty();
    }
    await server.kill();
    server = await startServer(dataPath);
    results.count("after a restart", await checkServer(server, inventory));
    if (resets > MAX_RESETS) results.problem(`${resets} responses were lost to resets.`);
    return results.row(`${resets} responses lost to a reset`);
  } finally {
    await server.kill();
    volume.unmount();
    removeFolder(folder);
  }
}

async function fillOnce(
  server: ServerProcess,
  volume: SmallVolume,
  inventory: Inventory,
  pages: number,
) {
  const before = blobsOf(server.dataPath).length;
  let resets = 0;
  const content = seededBytes(pages, (PAGES + 10) * PAGE);
  const partStart = partHead(filePart("refused.bin", ""));
  const end = Buffer.concat([Buffer.from("\r\n"), multipartEnd]);
  const connection = await openRaw(Number(new URL(server.url).port));
  try {
    connection.send(
      head("POST", "/api/files", [
        ["API-Key", server.apiKey],
        ["Content-Type", multipartType],
        ["Content-Length", String(partStart.length + content.length + end.length)],
      ]),
    );
    connection.send(partStart);
    await eventually("the upload has started", () => blobsOf(server.dataPath).length > before);
    volume.fill(pages * PAGE);
    connection.send(content);
    connection.send(end);
    const answer = await connection.answer().catch(unlessReset);
    if (answer === null) resets = 1;
    else expectFault(answer, 507);
  } finally {
    connection.destroy();
  }
  const whileFull = compare(inventory, await readInventory(server));
  volume.empty();
  const leftovers = await waitForNoLeftovers(server.dataPath);
  await expectUploads(server);
  return { resets, findings: { ...whileFull, leftovers } };
}

/**
 * null if the connection was reset: the server responds without reading the rest of the body, and
 * the system may discard the response while the client is still sending.
 */
function unlessReset(error: unknown): null {
  if (error instanceof Error && error.message === "Connection closed after: ") return null;
  throw error;
}

/** With space again, an upload and its deletion must work. */
async function expectUploads(server: ServerProcess): Promise<void> {
  const bundle = new Map([["again.bin", seededBytes(7, 3 * PAGE)]]);
  const uploaded = withAnswer(emptyInventory, bundle, await upload(server, bundle));
  const id = uploaded.files.get("again.bin")?.id;
  const answer = await fetch(`${server.url}/api/files`, {
    method: "DELETE",
    headers: { "API-Key": server.apiKey, "Content-Type": "application/json" },
    body: JSON.stringify({ id }),
  });
  if (answer.status !== 200) throw new Error(`The deletion afterwards: ${await answer.text()}`);
}
