import { afterEach, beforeEach, expect, test } from "bun:test";
import { type FilesFixture, openFilesFixture } from "../files/files.fixture.ts";
import {
  noteVerification,
  readVerificationRecord,
  type VerificationRecord,
} from "./maintenance-records.ts";

let fixture: FilesFixture;
beforeEach(async () => {
  fixture = await openFilesFixture();
});
afterEach(() => fixture.end());

const full: VerificationRecord = {
  finishedAt: 1,
  quick: false,
  files: 12,
  bytes: 300,
  repaired: false,
  missing: 0,
  damaged: 0,
  foreign: 0,
  catalog: 0,
};
const quick = { ...full, finishedAt: 2, quick: true, bytes: 0 };

/** Whether `next` replaces `last`. */
async function replaces(next: VerificationRecord, last: VerificationRecord): Promise<boolean> {
  await fixture.catalog.putSetting("last-verification", JSON.stringify(last));
  await noteVerification(fixture.catalog, next);
  return (await readVerificationRecord(fixture.catalog))?.finishedAt === next.finishedAt;
}

test("a quick verify does not replace a full one that found problems", async () => {
  for (const type of ["missing", "damaged", "foreign", "catalog"] as const) {
    expect(await replaces(quick, { ...full, [type]: 1 })).toBe(false);
    expect(await replaces({ ...full, finishedAt: 2 }, { ...full, [type]: 1 })).toBe(true);
    expect(await replaces(quick, { ...full, quick: true, [type]: 1 })).toBe(true);
  }
  expect(await replaces(quick, full)).toBe(true);
});

test("a quick verify replaces a full one whose problems were repaired", async () => {
  const found = { ...full, missing: 1, foreign: 1 };
  expect(await replaces({ ...quick, repaired: true }, found)).toBe(true);
  expect(await replaces(quick, { ...found, repaired: true })).toBe(true);
  const damaged = { ...full, damaged: 1 };
  expect(await replaces({ ...quick, repaired: true }, damaged)).toBe(false);
});
