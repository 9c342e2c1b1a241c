import type { Reachable } from "../../test/client.ts";
import { emptyInventory, type Inventory } from "../inventory.ts";
import { chance } from "../random.ts";
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
  run(server: Reachable, control: RunControl): Promise<void>;
}

/** How things stand with the server that is written to. */
export interface RunControl {
  /** From now on it is no problem when there is no answer, or a wrong one. */
  mayFail(): boolean;
  /** From now on nobody can have got an answer, so none counts. */
  ignoresResponses(): boolean;
  /** The writer ends after the change that is under way. Absent: it never has enough. */
  isDone?(): boolean;
}

/** With so many files it deletes more than it uploads. */
const MAX_FILES = 50;

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
  let inventory: Inventory = { files: emptyInventory.files, folders: new Set() };
  let pending: Inventory | undefined;
  let acknowledged = 0;

  const nextStep = (): Step => {
    if (inventory.files.size > MAX_FILES && chance(0.5)) return deleteSeveral;
    let left = Math.random() * 100;
    for (const [share, step] of STEPS) {
      left -= share;
      if (left < 0) return step;
    }
    return uploadOne;
  };

  /** Whether it went as it must. */
  async function execute(attempt: Attempt, control: RunControl): Promise<boolean> {
    pending = attempt.after();
    const answer = await attempt.send();
    if (control.ignoresResponses()) return false;
    if (answer.status === attempt.status) {
      inventory = attempt.after(answer);
      pending = undefined;
      acknowledged += 1;
      return true;
    }
    if (!control.mayFail())
      onProblem(`Answered ${answer.status} ${answer.text}, not ${attempt.status}.`);
    return false;
  }

  return {
    folder,
    expectedStates: () => (pending === undefined ? [inventory] : [inventory, pending]),
    get acknowledged() {
      return acknowledged;
    },
    async run(server, control) {
      while (control.isDone?.() !== true) {
        try {
          const attempt = await nextStep()({ server, folder, inventory });
          if (attempt !== undefined && !(await execute(attempt, control))) return;
        } catch (error) {
          if (!control.mayFail())
            onProblem(`No answer: ${error instanceof Error ? error.message : error}`);
          return;
        }
      }
    },
    continueFrom(from) {
      inventory = from;
      pending = undefined;
    },
  };
}
