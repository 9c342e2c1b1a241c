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

/**
 * A client with its own folder that makes one change after the other and keeps a ledger. So the
 * expected state is always known, except for the one change without a response.
 */
export interface Writer extends Ledger {
  /** Number of acknowledged changes so far. */
  readonly acknowledged: number;
  /** Number of acknowledged offsets of resumable uploads so far. */
  readonly offsetsAcknowledged?: number;
  /** Finds broken promises that the inventory does not show, one sentence each. */
  readonly findBroken?: (server: Reachable) => Promise<readonly string[]>;
  /** Makes changes until a response is missing or wrong, or `isDone`. */
  run(server: Reachable, control: RunControl): Promise<void>;
}

/** Tells a client how to judge the server's responses. */
export interface RunControl {
  /** Whether a missing or wrong response is acceptable from now on. */
  mayFail(): boolean;
  /** Whether responses no longer count, since a real client could not have received them. */
  ignoresResponses(): boolean;
  /** Whether to stop after the current change. Default: never. */
  isDone?(): boolean;
}

/** Above this number, it deletes more than it uploads. */
const MAX_FILES = 50;

/** Steps with their probabilities in percent. */
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

  /** Whether the response was as expected. */
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
      onProblem(`Response ${answer.status} ${answer.text}, not ${attempt.status}.`);
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
            onProblem(`No response: ${error instanceof Error ? error.message : error}`);
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
