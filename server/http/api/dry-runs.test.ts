import { expect, test } from "bun:test";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { createExplainNoSpace } from "../../files/explain-no-space.ts";
import { tryOut } from "./dry-runs.ts";

const kept = { items: 1, files: 1, folders: 0, versions: 1, bytes: 7 };
const explain = createExplainNoSpace({
  trashTotals: async () => kept,
  versionTotals: async () => kept,
});

test("a dry run that finds no space says what the trash and the versions hold, as the change does", async () => {
  const fail = () => Promise.reject(new Fault("no_space", "The volume is full."));
  const tried = tryOut(fail, { caller: COMMAND_EVERYWHERE }, explain);
  await expect(tried).rejects.toThrow(
    "The volume is full. The trash and earlier versions hold 14 bytes.",
  );
});
