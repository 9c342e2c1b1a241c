import { createStore } from "../../../app/store.ts";

export type Decision = "keepBoth" | "replace" | "skip";

/** A file or folder whose new name is taken in the folder. */
export interface Conflict {
  readonly name: string;
  /** The folder's name. */
  readonly folder: string;
  /** Folders can be neither replaced nor replace anything. */
  readonly mayReplace: boolean;
  /** Whether a replaced file is deleted permanently, because the trash is off. */
  readonly isPermanent: boolean;
}

export interface ConflictQuestion extends Conflict {
  /** Different for each question. */
  readonly id: number;
  /** The number of conflicts to decide about, including this one. */
  readonly count: number;
  readonly answer: (decision: Decision, forAll: boolean) => void;
}

/** The question that is shown, if any. */
export const conflictQuestion = createStore<ConflictQuestion | undefined>(undefined);

/** Resolves when all questions so far are answered. */
let earlier: Promise<unknown> = Promise.resolve();
let lastId = 0;

/**
 * Asks what to do with each of the conflicts, in order, after the questions of earlier calls. Closing the
 * question skips all that are left.
 */
export function decideConflicts(conflicts: readonly Conflict[]): Promise<Decision[]> {
  const decisions = earlier.then(() => decideAll(conflicts));
  earlier = decisions;
  return decisions;
}

async function decideAll(conflicts: readonly Conflict[]): Promise<Decision[]> {
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
  lastId += 1;
  const id = lastId;
  return new Promise((resolve) => {
    conflictQuestion.set({
      ...conflict,
      id,
      count,
      answer(decision, forAll) {
        // A second click may come before the next question is shown.
        if (conflictQuestion.get()?.id !== id) return;
        conflictQuestion.set(undefined);
        resolve({ decision, forAll });
      },
    });
  });
}
