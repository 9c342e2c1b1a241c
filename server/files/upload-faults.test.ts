import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, rmSync } from "node:fs";
import { blobPath, blockPath } from "../blobs/disk/disk-paths.ts";
import { LEASE_SECONDS } from "../catalog/port.ts";
import { blobId } from "../rules/blob-id.ts";
import { until } from "./bed.fixture.ts";
import type { UploadPart } from "./upload.ts";
import { file, formOf, openUploadBed, piecesOf, type UploadBed } from "./upload-bed.fixture.ts";

let on: UploadBed;
beforeEach(async () => {
  on = await openUploadBed();
});
afterEach(() => on.end());

test("a client that goes midway leaves nothing", async () => {
  const gone = new Error("gone");
  async function* body(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array(100_000);
    throw gone;
  }
  async function* form(): AsyncGenerator<UploadPart> {
    const part = { name: "files", type: undefined };
    yield { ...part, filename: "first", body: piecesOf(new Uint8Array(10)) };
    yield { ...part, filename: "second", body: body() };
  }
  const outcome = await on.upload(form(), 0).catch((error: unknown) => error);
  expect(outcome).toBe(gone);
  expect(await on.bed.stored()).toEqual([]);
  await on.expectNoTrouble();
});

test("a file that cannot be made safe is not shown, nor any other of its request", async () => {
  async function* body(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array(10);
    // Its folder is lost before it can be synced.
    for (const { block } of on.bed.leases()) {
      rmSync(blockPath(on.bed.blobFolder, block), { recursive: true });
    }
  }
  async function* form(): AsyncGenerator<UploadPart> {
    const part = { name: "files", type: undefined };
    yield { ...part, filename: "whole", body: piecesOf(new Uint8Array(10)) };
    yield { ...part, filename: "lost", body: body() };
  }
  const outcome = await on.upload(form(), 0).catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(Error);
  expect(await on.keys()).toEqual([]);
  expect(await on.bed.stored()).toEqual([]);
  await on.expectNoTrouble();
});

test("the room that an upload was promised is given back, however it ends", async () => {
  const most = Math.floor(((await on.bed.blobs.freeSpace()) ?? 0) * 0.6);
  await on.upload(formOf([file("a")]), most);
  for (const entries of [[file("a")], [], [file("..")]]) {
    const outcome = await on.upload(formOf(entries), most).catch((error: unknown) => error);
    expect(outcome).not.toMatchObject({ kind: "no_space" });
  }
  await on.upload(formOf([file("b")]), most);
});

test("an upload that its lease outlived is refused, swept, and goes well when tried again", async () => {
  async function* slow(): AsyncGenerator<UploadPart> {
    yield* formOf([file("a")]);
    on.bed.age(LEASE_SECONDS + 1);
    await on.bed.catalog.releaseExpiredLeases();
  }
  const outcome = await on.upload(slow(), 0).catch((error: unknown) => error);
  expect(outcome).toMatchObject({ kind: "unavailable" });
  await until(async () => (await on.bed.stored()).length === 0 && on.bed.leases().length === 0);
  const [added] = await on.send(file("a"));
  expect(await on.textOf(added)).toBe("content");
  expect(on.bed.errors).toEqual([]);
});

test("a catalog that is gone leaves the blob to the next start", async () => {
  async function* late(): AsyncGenerator<UploadPart> {
    yield* formOf([file("a")]);
    await on.bed.catalog.close();
  }
  const outcome = await on.upload(late(), 0).catch((error: unknown) => error);
  expect(outcome).toMatchObject({ kind: "unavailable" });
  await until(() => on.bed.errors.length === 1);
  expect(on.bed.leases()).toHaveLength(1);
});

test("a store that refuses one file of several keeps none of them", async () => {
  await on.send(file("first"));
  const [{ block } = { block: -1 }] = on.bed.leases();
  // The third blob of the block is there already.
  mkdirSync(blobPath(on.bed.blobFolder, blobId(block, 2)));
  const outcome = await on.send(file("a"), file("b"), file("c")).catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(Error);
  expect(await on.keys()).toEqual(["first"]);
  expect(await on.bed.stored()).toEqual([blobId(block, 0), blobId(block, 2)]);
  const [added] = await on.send(file("a"));
  expect(await on.textOf(added)).toBe("content");
});
