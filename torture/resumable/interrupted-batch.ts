import { join } from "node:path";
import { api, type Reachable, send } from "../../test/client.ts";
import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import { head } from "../../test/raw.ts";
import { checkServer } from "../check-server.ts";
import { sendCutRequest } from "../cut-request.ts";
import { chance, randomInt } from "../random.ts";
import { createResultCounter, type ResultCounter } from "../result-counter.ts";
import { sampleEvenly } from "../sample-evenly.ts";
import { type ServerProcess, startServer } from "../server-process.ts";
import type { Row, Scale } from "../trial.ts";
import { leftAfterExpiry } from "./expire.ts";
import { inventoryOf, makeSite, type Site } from "./site.ts";
import { trackUpload } from "./track-upload.ts";
import {
  addMembers,
  commitBatch,
  createBatch,
  createUpload,
  type Members,
  membersForm,
  OFFSET_TYPE,
  parseBatch,
  readBatch,
} from "./upload-client.ts";

const ROOT = "site";
const FILES_PER_FOLDER = 20;
/** One in this many folders has a file that comes as a resumable upload. */
const RESUMABLE_EVERY = 10;

/**
 * A batch of many files over connections that break: nothing is visible before the commit, everything
 * appears at once, and a repeated commit answers the same.
 */
export async function interruptBatch(scale: Scale): Promise<Row> {
  const site = makeSite(ROOT, scale.tries(500, 20), FILES_PER_FOLDER);
  const cuts = scale.tries(50, 8);
  const results = createResultCounter(
    `batch of ${site.files} files over ${cuts} interrupted connections`,
  );
  const folder = temporaryFolder();
  const server = await startServer(join(folder, "data"));
  try {
    const batch = await createBatch(server, ROOT);
    const interrupted = new Set(sampleEvenly([...site.folders.keys()], cuts));
    for (const [inner, members] of site.folders) {
      const isInterrupted = interrupted.has(inner);
      await addFolder(server, batch, { inner, members, isInterrupted, results });
      if (isInterrupted) await expectNothing(server, site, inner, results);
    }
    scale.progress(`${site.files} files added`);
    const committed = await watchCommit(server, batch, site, results);
    const again = await commitBatch(server, batch);
    if (again.text !== committed.text) {
      results.problem(`The second commit answered ${again.text} after ${committed.text}.`);
    }
    const { result } = parseBatch(committed);
    if (result?.added !== site.files) results.problem(`The commit says ${committed.text}.`);
    results.count("after the commit", await checkServer(server, inventoryOf(site)));
    await server.stop();
    const leftovers = await leftAfterExpiry(server.dataPath);
    results.count("after expiry", { lost: [], extra: [], leftovers });
    return { ...results.row(`${site.folders.size} folders`), tries: cuts };
  } finally {
    await server.kill();
    removeFolder(folder);
  }
}

interface Addition {
  readonly inner: string;
  readonly members: Members;
  readonly isInterrupted: boolean;
  readonly results: ResultCounter;
}

let additions = 0;

/** Adds one folder, if interrupted after a first attempt that breaks at a random byte. */
async function addFolder(server: ServerProcess, batch: string, addition: Addition): Promise<void> {
  const { inner, members, isInterrupted, results } = addition;
  additions += 1;
  const all = [...members];
  const [first] = all;
  const isResumable = first !== undefined && additions % RESUMABLE_EVERY === 0;
  const byForm = new Map(isResumable ? all.slice(1) : all);
  if (isResumable) await uploadMember(server, batch, inner, first, results);
  if (isInterrupted) {
    await cutForm(server, batch, inner, byForm);
    if (await hasMembers(server, batch, inner, byForm, results)) return;
  }
  const answer = await addMembers(server, batch, inner, byForm);
  if (answer.status === 200) return;
  // The interrupted request may have arrived completely after all.
  const mayBeThere = isInterrupted && answer.status === 409;
  if (mayBeThere && (await hasMembers(server, batch, inner, byForm, results))) return;
  throw new Error(`${inner}: ${answer.status} ${answer.text}`);
}

async function cutForm(
  server: Reachable,
  batch: string,
  inner: string,
  members: Members,
): Promise<void> {
  const { contentType, bytes } = membersForm(inner, members);
  const chunked = chance(0.5);
  const start = head("POST", `${batch}/files`, [
    ["Content-Type", contentType],
    chunked ? ["Transfer-Encoding", "chunked"] : ["Content-Length", String(bytes.length)],
  ]);
  const end = chance(0.2) ? bytes.length : randomInt(0, bytes.length);
  await sendCutRequest(server, { start, body: bytes, chunked, end });
}

/** Whether the files of a request are in the batch. Some of them must not be. */
async function hasMembers(
  server: Reachable,
  batch: string,
  inner: string,
  sent: Members,
  results: ResultCounter,
): Promise<boolean> {
  const { members } = await readBatch(server, batch);
  const found = members.filter(({ folder, name }) => folder === inner && sent.has(name)).length;
  if (found !== 0 && found !== sent.size) {
    results.problem(`${found} of ${sent.size} files of an interrupted request are in the batch.`);
  }
  return found > 0;
}

/** Its connection breaks once, at a random byte. */
async function uploadMember(
  server: Reachable,
  batch: string,
  inner: string,
  [name, content]: readonly [string, Uint8Array],
  results: ResultCounter,
): Promise<void> {
  const path = await createUpload(server, { folder: inner, name, size: content.length }, batch);
  const notes = { path, key: `${ROOT}/${inner}/${name}`, content, acknowledged: 0, isSealed: true };
  const upload = trackUpload(notes, results.problem);
  const start = head("PATCH", path, [
    ["Upload-Offset", "0"],
    ["Content-Type", OFFSET_TYPE],
    ["Content-Length", String(content.length)],
  ]);
  const end = randomInt(0, content.length);
  await sendCutRequest(server, { start, body: content, chunked: false, end });
  await upload.finish(server);
}

/** Nothing of an open batch may be visible: in lists, by hosting, or in the change feed. */
async function expectNothing(
  server: Reachable,
  { root, folders }: Site,
  inner: string,
  results: ResultCounter,
): Promise<void> {
  const [name] = folders.get(inner)?.keys() ?? [];
  const a = api(server);
  const files = await a.list("?limit=10");
  if (files.length > 0) results.problem(`${files.length} files are listed before the commit.`);
  for (const path of [`/api/folders?key=${root}`, `/api/hosting/${root}/${inner}/${name}`]) {
    const { status } = await a.get(path);
    if (status !== 404) results.problem(`${path} responds with ${status} before the commit.`);
  }
  const feed = await a.get("/api/changes");
  if (feed.text.includes(`${root}/`))
    results.problem("The feed acknowledges of members of the batch.");
}

/** Reads while the batch is committed: either nothing or everything may be there. */
async function watchCommit(server: Reachable, batch: string, site: Site, results: ResultCounter) {
  let isDone = false;
  const watching = watch(server, site, results, () => isDone);
  const answer = await commitBatch(server, batch);
  isDone = true;
  await watching;
  return answer;
}

async function watch(
  server: Reachable,
  site: Site,
  results: ResultCounter,
  isDone: () => boolean,
): Promise<void> {
  const keys = [...inventoryOf(site).files.keys()];
  const [first = "", last = ""] = [keys[0], keys.at(-1)];
  while (!isDone()) {
    // Once one file is there, all are.
    const { status } = await send(server, "GET", `/api/hosting/${first}`);
    const other = await send(server, "GET", `/api/hosting/${last}`);
    if (status === 200 && other.status !== 200) {
      results.problem(`${first} is visible, but ${last} responds with ${other.status}.`);
    }
    if (other.status !== 200) continue;
    const listed = (await api(server).list()).length;
    if (listed !== site.files) results.problem(`${listed} of ${site.files} files are listed.`);
    return;
  }
}
