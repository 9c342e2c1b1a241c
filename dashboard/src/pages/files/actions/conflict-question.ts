import { createStore } from "../../../app/store.ts";

export type Decision = "keepBoth" | "replace" | "skip";

/** A file or folder whose new name is taken in the folder. */
export interface Conflict {
  readonly name: string;
  /** The folder's name. */
  readonly folder: string;
  /** Folders can be neither replaced nor replace anything. */
  readonly mayReplace: boolean;
}

export interface ConflictQuestion extends Conflict {
  /** The number of conflicts to decide about, including this one. */
  readonly count: number;
  readonly answer: (decision: Decision, forAll: boolean) => void;
}

/** The question that is shown, if any. */
export const conflictQuestion = createStore<ConflictQuestion | undefined>(undefined);

/** Asks what to do with each of the conflicts, in order. Closing the question skips all that are left. */
export async function decideConflicts(conflicts: readonly Conflict[]): Promise<Decision[]> {
  const decisions: Decision[] = [];
  let forAll: Decision | undefined;
  for (const [at, conflict] of conflicts.entries()) {
    const isCovered = forAll === "replace" ? conflict.mayReplace : forAll !== undefined;
    if (forAll !== undefined && isCovered) {
      decisions.push(forAll);
      continue;
    }
    const answer = await ask(conflict, conflicts.length - at);
    decisions.push(answer.decision);
    if (answer.forAll) forAll = answer.decision;
  }
  return decisions;
}

function ask(
  conflict: Conflict,
  count: number,
): Promise<{ readonly decision: Decision; readonly forAll: boolean }> {
  return new Promise((resolve) => {
    conflictQuestion.set({
      ...conflict,
      count,
      answer(decision, forAll) {
        conflictQuestion.set(undefined);
        resolve({ decision, forAll });
      },
    });
  });
}
