import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { blobId } from "../../domain/blob-id.ts";
import { Fault } from "../../domain/faults/fault.ts";
import type { BlobInspection, Blobs } from "../port.ts";
import { createDiskBlobs } from "./disk.ts";

let folder: string;
let root: string;
let blobs: Blobs & BlobInspection;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdall-blobs-"));
  root = join(folder, "blobs");
  blobs = await createDiskBlobs(root);
});
afterEach(() => rm(folder, { recursive: true }));

async function put(place: string, text = "x"): Promise<void> {
  await mkdir(join(root, place, ".."), { recursive: true });
  await writeFile(join(root, place), text);
}

const unrecognized = async () => (await Array.fromAsync(blobs.listUnrecognized())).sort();

test("lists unrecognized entries, but not those that the file system creates", async () => {
  for (const ours of ["00000000001/0a", "00000000001/ff", "000000000a2/00"]) await put(ours);
  await mkdir(join(root, "lost+found"));
  await put("00000000001/.nfs000000000123abcd00000001");
  const foreign = [
    "00000000001/0A",
    "00000000001/0a.tmp",
    "00000000001/100%25",
    "00000000002",
    "0000000000G",
    "note.txt",
    "\u001b[2J",
  ];
  for (const place of foreign) await put(place.replace("%25", "%"));
  await mkdir(join(root, "folder"));
  expect(await unrecognized()).toEqual([...foreign, "folder"].sort());
});

test("names that are not UTF-8 are listed, distinguished and quarantined", async () => {
  const path = (bytes: number[]) => Buffer.from([...Buffer.from(`${root}/`), ...bytes]);
  await writeFile(path([0x61, 0xff]), "one");
  await writeFile(path([0x61, 0xfe]), "two");
  await put("\ufffd");
  const places = ["a%FE", "a%FF", "\ufffd"];
  expect(await unrecognized()).toEqual(places.sort());
  expect(await blobs.moveToQuarantine(places, "now")).toEqual(places);
  expect(await unrecognized()).toEqual([]);
  const moved = await readdir(join(folder, "quarantine", "now", "blobs"), { encoding: "buffer" });
  expect(moved.map((name) => name.toString("hex")).sort()).toEqual(["61fe", "61ff", "efbfbd"]);
});

test("quarantine keeps the path and bytes of a place and removes emptied block folders", async () => {
  await put("00000000001/0a", "lonely");
  await put("00000000002/0b", "one of two");
  await put("00000000002/0c", "the other");
  await put("folder/with/things", "inside");
  const places = ["00000000001/0a", "00000000002/0b", "folder"];
  expect(await blobs.moveToQuarantine(places, "now")).toEqual(places);
  const quarantined = (place: string) =>
    readFile(join(folder, "quarantine/now/blobs", place), "utf8");
  expect(await quarantined("00000000001/0a")).toBe("lonely");
  expect(await quarantined("00000000002/0b")).toBe("one of two");
  expect(await quarantined("folder/with/things")).toBe("inside");
  expect(await readdir(root)).toEqual(["00000000002"]);
});

test("a folder or a named pipe at a blob's path is absent and does not block", async () => {
  await mkdir(join(root, "00000000001", "0a"), { recursive: true });
  Bun.spawnSync(["mkfifo", join(root, "00000000001", "0b")]);
  await put("00000000002", "a file in a block's place");
  for (const id of [blobId(1, 0x0a), blobId(1, 0x0b), blobId(2, 0)]) {
    expect(await blobs.scan(id, () => {})).toBe("absent");
    expect(await blobs.sizeOf(id)).toBeUndefined();
  }
});

test("nothing is absent while the volume is not mounted", async () => {
  await put("00000000001/0a");
  const id = blobId(1, 0x0a);
  const calls = {
    scan: () => blobs.scan(id, () => {}),
    sizeOf: () => blobs.sizeOf(id),
    exists: () => blobs.exists(blobs.placeOf(id)),
    listBlock: () => blobs.listBlock(1),
    read: async () => blobs.read(id, 1),
  };
  await rename(root, `${root}-elsewhere`);
  for (const [name, call] of Object.entries(calls)) {
    const error: unknown = await call().catch((thrown: unknown) => thrown);
    expect([name, error instanceof Fault && error.kind]).toEqual([name, "unavailable"]);
  }
  await rename(`${root}-elsewhere`, root);
  expect(await blobs.sizeOf(id)).toBe(1);
});
