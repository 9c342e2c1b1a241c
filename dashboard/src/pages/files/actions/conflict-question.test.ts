import { expect, test } from "bun:test";
import { eventually } from "../../../../../test/expectations.ts";
import { type ConflictQuestion, conflictQuestion, decideConflicts } from "./conflict-question.ts";

const conflict = (name: string) => ({ name, folder: "to", mayReplace: true, isPermanent: false });

/** Waits for the question about this name. */
async function questionAbout(name: string): Promise<ConflictQuestion> {
  await eventually(`asks about ${name}`, async () => conflictQuestion.get()?.name === name);
  const question = conflictQuestion.get();
  if (question === undefined) throw new Error("There is no question.");
  return question;
}

test("asks about each conflict, until an answer is for all", async () => {
  const decisions = decideConflicts(["a", "b", "c"].map(conflict));
  (await questionAbout("a")).answer("skip", false);
  (await questionAbout("b")).answer("replace", true);
  expect(await decisions).toEqual(["skip", "replace", "replace"]);
  expect(conflictQuestion.get()).toBeUndefined();
});

test("asks the questions of a second change after those of the first", async () => {
  const first = decideConflicts(["a", "b"].map(conflict));
  const second = decideConflicts([conflict("c")]);
  const a = await questionAbout("a");
  a.answer("keepBoth", false);
  const b = await questionAbout("b");
  b.answer("replace", false);
  expect(await first).toEqual(["keepBoth", "replace"]);
  const c = await questionAbout("c");
  c.answer("skip", false);
  expect(await second).toEqual(["skip"]);
  expect(new Set([a.id, b.id, c.id]).size).toBe(3);
});

test("a second answer to a question does not answer the next one", async () => {
  const decisions = decideConflicts(["a", "b"].map(conflict));
  const a = await questionAbout("a");
  a.answer("keepBoth", false);
  const b = await questionAbout("b");
  a.answer("replace", true);
  expect(conflictQuestion.get()).toBe(b);
  b.answer("skip", false);
  expect(await decisions).toEqual(["keepBoth", "skip"]);
});
