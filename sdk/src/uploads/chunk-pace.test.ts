import { expect, test } from "bun:test";
import { createChunkPace } from "./chunk-pace.ts";

const MIB = 1024 * 1024;

test("chunks grow while they are fast, and are small again after an interruption", () => {
  const pace = createChunkPace(undefined);
  const sizes = [100, 100, 2_000, 100].map((milliseconds) => {
    pace.stored(milliseconds);
    return pace.size() / MIB;
  });
  expect(sizes).toEqual([16, 32, 32, 64]);
  for (let at = 0; at < 10; at += 1) pace.stored(1);
  expect(pace.size()).toBe(64 * MIB);
  pace.interrupted();
  expect(pace.size()).toBe(8 * MIB);
});

test("a size that is given stays", () => {
  const pace = createChunkPace(1000);
  pace.stored(1);
  pace.interrupted();
  expect(pace.size()).toBe(1000);
});

test.each([undefined, 8 * MIB])("chunks are half as long as what a proxy refuses: %p", (fixed) => {
  const pace = createChunkPace(fixed);
  expect(pace.tooLong(pace.size())).toBe(true);
  expect(pace.size()).toBe(4 * MIB);
  pace.stored(1);
  pace.interrupted();
  expect(pace.size()).toBe(4 * MIB);
  while (pace.tooLong(pace.size()));
  expect(pace.size()).toBe(64 * 1024);
});
