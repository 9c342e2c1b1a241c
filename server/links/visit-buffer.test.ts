import { expect, test } from "bun:test";
import type { VisitCount } from "../catalog/port/links.ts";
import { createVisitBuffer } from "./visit-buffer.ts";

const parts = { onError: () => {}, flushPeers: async () => {} };

test("the visits of a flood of requests are written together", async () => {
  const written: VisitCount[][] = [];
  const addVisits = async (counts: readonly VisitCount[]) => void written.push([...counts]);
  const buffer = createVisitBuffer({ ...parts, catalog: { addVisits } });
  for (let visit = 0; visit < 10_000; visit += 1) buffer.count(visit % 4 === 0 ? "one" : "other");
  await Promise.all([buffer.flush(), buffer.flushAll(), buffer.flush()]);
  expect(written).toEqual([
    [
      { id: "one", count: 2500 },
      { id: "other", count: 7500 },
    ],
  ]);
});

test("visits that could not be written are written later", async () => {
  const written: VisitCount[] = [];
  const problems: string[] = [];
  let isBroken = true;
  const buffer = createVisitBuffer({
    ...parts,
    onError: (message) => void problems.push(message),
    catalog: {
      async addVisits(counts) {
        if (isBroken) throw new Error("The disk is full.");
        written.push(...counts);
      },
    },
  });
  buffer.count("one");
  await buffer.flush();
  expect(problems).toHaveLength(1);
  buffer.count("one");
  isBroken = false;
  await buffer.flush();
  expect(written).toEqual([{ id: "one", count: 2 }]);
});
