import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { rename, symlink, unlink } from "node:fs/promises";
import { isMissing } from "../../../test/reason-to-skip.fixture.ts";
import type { FileRecord } from "../../domain/records.ts";
import { createCheckBlob } from "./check-blob.ts";
import { openVerifyFixture, type VerifyFixture } from "./verify.fixture.ts";

const noLinux = isMissing("Linux", process.platform === "linux");

describe.skipIf(noLinux)("a blob that the disk refuses to read", () => {
  let instance: VerifyFixture;
  beforeEach(async () => {
    instance = await openVerifyFixture();
  });
  afterEach(() => instance.fixture.end());

  /** Checks a file whose reads fail until `recover` is called in the pause. */
  async function check(onPause: (recover: () => Promise<void>) => Promise<void>) {
    const { fixture } = instance;
    const [file] = await instance.addFiles(["content"]);
    const [stored] = await fixture.catalog.blobsAfter(-1, 1);
    if (file === undefined || stored === undefined) throw new Error("No file.");
    await refuse(file);
    const checkBlob = createCheckBlob({
      catalog: fixture.catalog,
      blobs: fixture.blobs,
      pause: () => onPause(() => recover(file)),
    });
    return checkBlob(stored, "bytes");
  }

  async function refuse(file: FileRecord): Promise<void> {
    const path = instance.pathOf(file);
    await rename(path, `${path}-kept`);
    // The kernel answers EIO: nothing is mapped at its first address.
    await symlink("/proc/self/mem", path);
  }

  async function recover(file: FileRecord): Promise<void> {
    const path = instance.pathOf(file);
    await unlink(path);
    await rename(`${path}-kept`, path);
  }

  test("is no finding if it can be read a moment later", async () => {
    expect(await check((recovers) => recovers())).toBeUndefined();
  });

  test("is unreadable if it still cannot be read then", async () => {
    let pauses = 0;
    const finding = await check(async () => {
      pauses += 1;
    });
    expect(finding).toMatchObject({ type: "damaged", reason: "unreadable" });
    expect(pauses).toBe(1);
  });
});
