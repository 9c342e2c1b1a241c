import { describe, expect, test } from "bun:test";
import { createEarlySyncs } from "./early-syncs.ts";

const MB = 1024 ** 2;

/** A file whose syncs end when the test says so. */
function controlledFile() {
  const syncs: PromiseWithResolvers<void>[] = [];
  const file = {
    datasync() {
      const sync = Promise.withResolvers<void>();
      syncs.push(sync);
      return sync.promise;
    },
  };
  return { file, syncs };
}

describe("early syncs", () => {
  test("start without waiting, one at a time", async () => {
    const { file, syncs } = controlledFile();
    const early = createEarlySyncs(file);
    for (let position = MB; position <= 60 * MB; position += MB) {
      expect(early.onWritten(position)).toBeUndefined();
    }
    expect(syncs).toHaveLength(1);
    syncs[0]?.resolve();
    await early.finish();
    expect(early.onWritten(61 * MB)).toBeUndefined();
    expect(syncs).toHaveLength(2);
  });

  test("count from the bytes that are durable already", () => {
    const { file, syncs } = controlledFile();
    const early = createEarlySyncs(file, 100 * MB);
    expect(early.onWritten(101 * MB)).toBeUndefined();
    expect(syncs).toHaveLength(0);
    expect(early.onWritten(102 * MB)).toBeUndefined();
    expect(syncs).toHaveLength(1);
  });

  test("wait when the disk is far behind", async () => {
    const { file, syncs } = controlledFile();
    const early = createEarlySyncs(file);
    expect(early.onWritten(4 * MB)).toBeUndefined();
    let isResolved = false;
    const waiting = Promise.resolve(early.onWritten(68 * MB)).then(() => {
      isResolved = true;
    });
    // Long enough to be resolved without a sync.
    await Bun.sleep(5);
    expect(isResolved).toBe(false);
    syncs[0]?.resolve();
    await waiting;
    expect(syncs).toHaveLength(2);
  });

  test("report a failed sync, also after others that succeed", async () => {
    const { file, syncs } = controlledFile();
    const early = createEarlySyncs(file);
    expect(early.onWritten(4 * MB)).toBeUndefined();
    syncs[0]?.reject(new Error("EIO"));
    await expect(early.finish()).rejects.toThrow("EIO");
    await expect(early.finish()).rejects.toThrow("EIO");
    expect(() => early.onWritten(9 * MB)).toThrow("EIO");
    expect(syncs).toHaveLength(1);
  });
});
