import { join } from "node:path";
import { forEachConcurrently } from "../server/lib/for-each-concurrently.ts";
import { api } from "../test/client.ts";
import { removeFolder, temporaryFolder } from "../test/harness.ts";
import { filePart, multipart, multipartEnd, multipartType, partHead } from "../test/multipart.ts";
import { head } from "../test/raw.ts";
import { waitForNoLeftovers } from "./check-server.ts";
import { bytesOf, type Content, isContent, newContent } from "./content.ts";
import { sendCutRequest } from "./cut-request.ts";
import { openDescriptors, residentMemory } from "./process-state.ts";
import { chance, pickOne, randomInt } from "./random.ts";
import { type ServerProcess, startServer } from "./server-process.ts";
import type { Row, Trial } from "./trial.ts";

/** Uploads whose client disconnects at a random byte, with FIN or RST. */
export const cutUploads: Trial = {
  name: "cut-uploads",
  async run(scale) {
    const folder = temporaryFolder();
    const server = await startServer(join(folder, "data"));
    try {
      return [await cutMany(server, scale.tries(10_000, 300), scale.progress)];
    } finally {
      await server.kill();
      removeFolder(folder);
    }
  },
};

const CONCURRENCY = 64;
/** Time for garbage collection. */
const REST_MS = 3_000;

async function cutMany(
  server: ServerProcess,
  tries: number,
  progress: (text: string) => void,
): Promise<Row> {
  // Descriptors that stay open after the first requests are not a leak.
  await forEachConcurrently(
    Array(CONCURRENCY).keys(),
    CONCURRENCY,
    async (at) => void (await cutOne(server, `warm-up-${at}`)),
  );
  await waitForNoLeftovers(server.dataPath);
  await Bun.sleep(500);
  const before = { descriptors: openDescriptors(server.pid), memory: residentMemory(server.pid) };

  const sent = new Map<string, Content>();
  let done = 0;
  await forEachConcurrently(Array(tries).keys(), CONCURRENCY, async (at) => {
    for (const [name, content] of await cutOne(server, String(at))) sent.set(name, content);
    done += 1;
    if (done % 1000 === 0) progress(`${done} cut`);
  });

  const from = performance.now();
  const left = await waitForNoLeftovers(server.dataPath);
  const cleanAfter = performance.now() - from;
  const busy = residentMemory(server.pid);
  await Bun.sleep(REST_MS);
  const after = { descriptors: openDescriptors(server.pid), memory: residentMemory(server.pid) };

  const stored = await checkStored(server, sent);
  return {
    fault: "upload cut at a random byte",
    tries,
    lost: stored.changed.length,
    leftovers: left.length + Math.max(0, after.descriptors - before.descriptors),
    problems: [...left, ...stored.changed, ...stored.problems].slice(0, 20),
    note: `${stored.count} arrived completely; clean after ${Math.round(cleanAfter)} ms; descriptors ${before.descriptors} → ${after.descriptors}; memory ${Math.round(before.memory)} → ${Math.round(busy)} → at rest ${Math.round(after.memory)} MB`,
  };
}

/**
 * No client received a response, so a request's files may be stored: all of them completely, or
 * none.
 */
async function checkStored(server: ServerProcess, sent: ReadonlyMap<string, Content>) {
  const a = api(server);
  const problems: string[] = [];
  const changed: string[] = [];
  const files = (await a.list()).filter((file) => sent.has(file.name));
  const names = new Set(files.map((file) => file.name));
  for (const { name } of files) {
    const sibling = name.endsWith("-b") ? `${name.slice(0, -2)}-a` : `${name.slice(0, -2)}-b`;
    if (sent.has(sibling) && !names.has(sibling))
      problems.push(`${name} was stored without ${sibling}.`);
  }
  await forEachConcurrently(Array(files.length).keys(), 8, async (at) => {
    const file = files[at];
    const content = file === undefined ? undefined : sent.get(file.name);
    if (file === undefined || content === undefined) return;
    const { bytes } = await a.get(`/${file.url}`);
    if (!isContent(content, bytes)) changed.push(`${file.name} is not what was sent.`);
  });
  const afterwards = await a.json("POST", "/api/folders", { folder: "afterwards" });
  if (afterwards.status !== 200)
    problems.push(`Afterwards: ${afterwards.status} ${afterwards.text}`);
  return { problems, changed, count: files.length };
}

/** Sends one upload of one or two files up to some byte. Returns the files of the upload. */
async function cutOne(server: ServerProcess, name: string): Promise<Map<string, Content>> {
  const files = new Map<string, Content>([[`${name}-a`, newContent(someSize())]]);
  if (chance(0.3)) files.set(`${name}-b`, newContent(someSize()));
  const parts = [...files].map(([fileName, content]) => filePart(fileName, bytesOf(content)));
  const [first] = parts;
  const body = multipart(parts).bytes;
  const chunked = chance(0.5);
  const start = head("POST", "/api/files", [
    ["API-Key", server.apiKey],
    ["Content-Type", multipartType],
    chunked ? ["Transfer-Encoding", "chunked"] : ["Content-Length", String(body.length)],
  ]);
  const firstHead = first === undefined ? 0 : partHead(first).length;
  const end = pickOne([
    () => -randomInt(1, start.length),
    () => randomInt(0, firstHead),
    () => randomInt(firstHead, body.length),
    () => body.length - randomInt(1, multipartEnd.length + 3),
    () => body.length,
  ])();

  await sendCutRequest(server, { start, body, chunked, end });
  return files;
}

/** Mostly small; some need many reads and writes. */
const someSize = (): number =>
  pickOne([randomInt(0, 2_000), randomInt(0, 100_000), randomInt(0, 1_000_000)]);
