import { afterEach, beforeEach, expect, test } from "bun:test";
import { Client } from "pg";
import { blobId as blobIdOf } from "../../domain/blob-id.ts";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import type { FileRecord } from "../../domain/records.ts";
import type { Catalog } from "../port/catalog.ts";
import { allKeys, createUploader } from "../suite/catalog.fixture.ts";
import { type CommitCutter, createCommitCutter } from "./commit-cutter.fixture.ts";
import { openPostgresCatalog } from "./postgres-catalog.ts";
import { postgresServer } from "./server.fixture.ts";

let url: string;
let proxy: CommitCutter;
let catalog: Catalog;

beforeEach(async () => {
  url = await (await postgresServer()).fresh();
  proxy = await createCommitCutter(url);
  catalog = await openPostgresCatalog({ url: proxy.url });
});
afterEach(async () => {
  await catalog.close();
  proxy.close();
});

/** Adds a file by itself, and during its transaction the others, which share the next one. */
async function addTogether(names: readonly string[], beforeSecond = () => {}): Promise<string[]> {
  const uploader = createUploader(catalog);
  await uploader.takeBlob();
  const alone = uploader.addOne(`alone ${Math.random()}`, { folder: "f" });
  const others = names.map((name) => uploader.addOne(name, { folder: "f" }));
  const outcomes = Promise.allSettled(others);
  await alone;
  beforeSecond();
  return (await outcomes).map((outcome) => {
    if (outcome.status === "fulfilled") return "added";
    return outcome.reason instanceof Fault ? outcome.reason.kind : `${outcome.reason}`;
  });
}

const addFile = (name: string, blobId = blobIdOf(0, 0)): Promise<FileRecord[]> =>
  catalog.addFiles(COMMAND_EVERYWHERE, {
    folder: parseKey("f"),
    files: [
      { name: parseName(name), mimeType: "text/plain", size: 1, blobId, checksum: 0, sha256: null },
    ],
    defaultVisibility: "public",
    owner: "tester",
  });

test("requests that wait for each other share a transaction", async () => {
  await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("f"));
  const admin = new Client({ connectionString: url });
  await admin.connect();
  try {
    const transactions = async (): Promise<Set<string>> =>
      new Set((await admin.query("select xmin::text from files")).rows.map(({ xmin }) => xmin));
    const names = Array.from({ length: 40 }, (_, number) => `${number}`);
    expect(await addTogether(names)).toEqual(names.map(() => "added"));
    expect((await transactions()).size).toBe(2);
    expect((await allKeys(catalog)).length).toBe(41);
  } finally {
    await admin.end();
  }
});

test.each(["before the server", "after the server"] as const)(
  "a commit that is lost %s leaves no outcome unknown",
  async (how) => {
    await createUploader(catalog).add(["x", "y"], { folder: "f" });
    const cut = (): void => proxy.cutCommit(how);
    expect(await addTogether(["x", "new", "other", "new"], cut)).toEqual([
      ...["conflict", "added", "added", "conflict"],
    ]);
    expect(await addTogether(["x", "y", "x"], cut)).toEqual(["conflict", "conflict", "conflict"]);
    const kept = (await allKeys(catalog)).filter((key) => !key.includes("alone"));
    expect(kept).toEqual(["f/new", "f/other", "f/x", "f/y"]);
  },
);

test("closing finishes what was accepted, and refuses what comes later", async () => {
  const uploader = createUploader(catalog);
  await uploader.addOne("first", { folder: "f" });
  const names = Array.from({ length: 200 }, (_, number) => `${number}`);
  const blobs = await Promise.all(names.map(() => uploader.takeBlob()));
  const added = names.map((name, index) => addFile(name, blobs[index]));
  const closed = catalog.close();
  const late = await addFile("late", blobs[0]).catch((cause: unknown) => cause);
  expect(late).toMatchObject({ kind: "unavailable" });
  expect((await Promise.all(added)).flat().length).toBe(200);
  await closed;
});
