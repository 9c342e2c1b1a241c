import { expect, test } from "bun:test";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { createExplainNoSpace } from "../../files/no-space-hint.ts";
import { createRunOperation } from "./run-operation.ts";

const kept = { items: 1, files: 1, folders: 0, versions: 1, bytes: 7 };
const run = createRunOperation({
  activity: { record: () => undefined },
  explainNoSpace: createExplainNoSpace({
    trashTotals: async () => kept,
    versionTotals: async () => kept,
  }),
});

test.each([
  ["a change", COMMAND_EVERYWHERE],
  ["a dry run", { ...COMMAND_EVERYWHERE, isDryRun: true as const }],
])("%s that finds no space says what the trash and the versions hold", async (_, caller) => {
  const fail = () => Promise.reject(new Fault("no_space", "The volume is full."));
  await expect(run({ caller, actions: [] }, fail)).rejects.toThrow(
    "The volume is full. The trash and earlier versions hold 14 bytes.",
  );
});
