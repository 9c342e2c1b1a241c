import { join } from "node:path";
import { api } from "../../test/client.ts";
import { expectFault } from "../../test/expectations.ts";
import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import { checkServer } from "../check-server.ts";
import { mountSmallVolume } from "../full-disk/small-volume.ts";
import { compare, emptyInventory } from "../inventory.ts";
import { readInventory } from "../read-inventory.ts";
import { createResultCounter } from "../result-counter.ts";
import { sampleEvenly } from "../sample-evenly.ts";
import { seededBytes } from "../seeded-bytes.ts";
import { type ServerProcess, startServer } from "../server-process.ts";
import type { Row, Scale } from "../trial.ts";
import { withContent } from "./contents.ts";
import { countExpiry } from "./count-expiry.ts";
import { type TrackedUpload, trackUpload } from "./track-upload.ts";
import { createUpload } from "./upload-client.ts";

const PAGE = 4096;
const PAGES = 200;
/** Sent before the volume becomes full. */
const FIRST_PAGES = 10;
const VOLUME_MB = 8;

/**
 * The blobs' volume becomes full during a PATCH, at each of its first 200 pages. The offsets stay, and
 * the upload continues once there is space.
 */
export async function fillDuringUploads(scale: Scale): Promise<Row> {
  const results = createResultCounter("disk full, resumable uploads");
  const folder = temporaryFolder();
  const dataPath = join(folder, "data");
  await (await startServer(dataPath)).stop();
  const volume = mountSmallVolume(join(dataPath, "blobs"), VOLUME_MB);
  const server = await startServer(dataPath);
  let resets = 0;

  async function fillOnce(pages: number): Promise<void> {
    const what = `full after ${pages} pages`;
    const upload = await beginUpload(server, pages, (text) => results.problem(`${what}: ${text}`));
    volume.fill(pages * PAGE);
    const answer = await upload.send(server, upload.content.length).catch(() => null);
    // The server responds without reading the rest, and the system may discard the response.
    if (answer === null) resets += 1;
    else expectFault(answer, 507);
    await expectIncomplete(server, upload);
    const whileFull = compare(emptyInventory, await readInventory(server));
    results.count(`${what}, while full`, { ...whileFull, leftovers: [] });
    volume.empty();
    await upload.finish(server);
    const inventory = withContent(emptyInventory, upload.key, upload.content);
    results.count(`${what}, space again`, await checkServer(server, inventory));
    await remove(server, upload);
  }

  try {
    for (const pages of sampleEvenly([...Array(PAGES).keys()], scale.tries(PAGES, 5))) {
      try {
        await fillOnce(pages);
      } catch (error) {
        results.problem(
          `full after ${pages} pages: ${error instanceof Error ? error.message : String(error)}`,
        );
      }
      volume.empty();
    }
    await countExpiry(server, results);
    return results.row(`${resets} responses lost to a reset`);
  } finally {
    await server.kill();
    volume.unmount();
    removeFolder(folder);
  }
}

async function beginUpload(
  server: ServerProcess,
  number: number,
  onBroken: (text: string) => void,
): Promise<TrackedUpload> {
  const content = seededBytes(number, (FIRST_PAGES + PAGES + 10) * PAGE);
  const name = `${number}.bin`;
  const path = await createUpload(server, { folder: "", name, size: content.length });
  const upload = trackUpload({ path, key: name, content, acknowledged: 0 }, onBroken);
  upload.note(await upload.send(server, FIRST_PAGES * PAGE));
  return upload;
}

async function expectIncomplete(server: ServerProcess, upload: TrackedUpload): Promise<void> {
  const { status, isComplete } = await upload.ask(server);
  if (status !== 200 || isComplete) throw new Error(`HEAD: ${status}, complete: ${isComplete}`);
}

async function remove(server: ServerProcess, { key }: TrackedUpload): Promise<void> {
  const [file] = await api(server).list();
  const answer = await api(server).json("DELETE", "/api/files", { id: file?.id });
  if (answer.status !== 200) throw new Error(`The deletion of ${key}: ${answer.text}`);
}
