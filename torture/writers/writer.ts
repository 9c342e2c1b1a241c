import type { Reachable } from "../../test/client.ts";
import { chance } from "../dice.ts";
import { type Holdings, nothing } from "../holdings.ts";
import type { Ledger } from "./ledger.ts";
import {
  type Attempt,
  createFolder,
  deleteFile,
  deleteFolder,
  deleteSeveral,
  moveFile,
  moveFolder,
  renameFile,
  renameFolder,
  type Step,
  showOrHideFolder,
  uploadLarge,
  uploadOne,
  uploadSeveral,
  uploadTaken,
} from "./steps.ts";

/*
 * A writer that keeps to one folder of its own, does one thing after the other, and keeps a ledger.
 * So at any moment what must be there is known, but for the one change whose answer is missing.
 */
export interface Writer extends Ledger {
  /** How many changes were acknowledged so far. */
  readonly acknowledged: number;
  /** Makes changes until there is no answer, or a wrong one, or enough of them. */
  run(server: Reachable, course: Course): Promise<void>;
}

/** How things stand with the server that is written to. */
export interface Course {
  /** From now on it is no problem when there is no answer, or a wrong one. */
  isOver(): boolean;
  /** From now on nobody can have got an answer, so none counts. */
  isDark(): boolean;
  /** The writer ends after the change that is under way. Absent: it never has enough. */
  isEnough?(): boolean;
}

/** With so many files it deletes more than it uploads. */
const MANY = 50;

/** How likely each is, in hundredths. */
const STEPS: readonly (readonly [number, Step])[] = [
  [38, uploadOne],
  [4, uploadLarge],
  [8, uploadSeveral],
  [12, uploadTaken],
  [10, renameFile],
  [5, moveFile],
  [8, deleteFile],
  [2, deleteSeveral],
  [4, createFolder],
  [2, renameFolder],
  [2, moveFolder],
  [2, deleteFolder],
  [3, showOrHideFolder],
];

export function createWriter(folder: string, onProblem: (problem: string) => void): Writer {
  let held: Holdings = { files: nothing.files, folders: new Set() };
  let pending: Holdings | undefined;
  let acknowledged = 0;

  const nextStep = (): Step => {
    if (held.files.size > MANY && chance(0.5)) return deleteSeveral;
    let left = Math.random() * 100;
    for (const [share, step] of STEPS) {
      left -= share;
      if (left < 0) return step;
    }
    return uploadOne;
  };

  /** Whether it went as it must. */
  async function carryOut(attempt: Attempt, course: Course): Promise<boolean> {
    pending = attempt.after();
    const answer = await attempt.send();
    if (course.isDark()) return false;
    if (answer.status === attempt.status) {
      held = attempt.after(answer);
      pending = undefined;
      acknowledged += 1;
      return true;
    }
    if (!course.isOver())
      onProblem(`Answered ${answer.status} ${answer.text}, not ${attempt.status}.`);
    return false;
  }

  return {
    folder,
    promises: () => (pending === undefined ? [held] : [held, pending]),
    get acknowledged() {
      return acknowledged;
    },
    async run(server, course) {
      while (course.isEnough?.() !== true) {
        try {
          const attempt = await nextStep()({ server, folder, held });
          if (attempt !== undefined && !(await carryOut(attempt, course))) return;
        } catch (error) {
          if (!course.isOver())
            onProblem(`No answer: ${error instanceof Error ? error.message : error}`);
          return;
        }
      }
    },
    resume(from) {
      held = from;
      pending = undefined;
    },
  };
}
