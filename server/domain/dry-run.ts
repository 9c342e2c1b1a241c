import type { MaybePromise } from "../lib/maybe-promise.ts";
import { Fault } from "./faults/fault.ts";
import type { Key } from "./records.ts";
import type { TreeChange } from "./tree-change.ts";

/** One change that the dry run made and rolled back. */
export interface DryRunReport {
  /** At most `MAX_REPORTED` of the changes, in their order. */
  readonly changes: readonly DryRunChange[];
  /** The number of all changes. */
  readonly total: number;
  /** The files that they are about, also those inside of folders. */
  readonly files: number;
  /** The size of these files; of a file that gets other content, of the new one. */
  readonly bytes: number;
  /** The size of what would be deleted permanently. */
  readonly freedBytes: number;
  /** At most `MAX_REPORTED` of the working links whose file or folder would leave the tree. */
  readonly links: readonly DryRunLink[];
  /** At most `MAX_REPORTED` of what an undo would leave as it is. */
  readonly conflicts: readonly DryRunConflict[];
}

export interface DryRunChange {
  readonly kind: TreeChange["kind"];
  /** The id of the file or folder. */
  readonly id: string;
  readonly key: Key;
  /** Before it is moved, or comes back; null: it keeps its key. */
  readonly fromKey: Key | null;
}

export interface DryRunLink {
  readonly id: string;
  readonly title: string | null;
  /** The key of its file or folder. */
  readonly key: Key;
}

/** A file or folder that the change would leave as it is. */
export interface DryRunConflict {
  readonly id: string;
  readonly kind: "file" | "folder";
  /** Where it is, or was when it was deleted; null: it is gone. */
  readonly key: string | null;
  readonly reason: string;
}

export const MAX_REPORTED = 1000;

export const EMPTY_REPORT: DryRunReport = {
  changes: [],
  total: 0,
  files: 0,
  bytes: 0,
  freedBytes: 0,
  links: [],
  conflicts: [],
};

/**
 * The end of a change that is only tried. It is thrown, so that nothing goes on with what the change would have
 * returned, and every engine rolls back.
 */
export class DryRun extends Fault {
  readonly report: DryRunReport;
  /** What the change would have returned. */
  readonly result: unknown;

  constructor(report: DryRunReport, result: unknown) {
    super("conflict", "This was a dry run: nothing was changed.");
    this.name = "DryRun";
    this.report = report;
    this.result = result;
  }
}

/** The result of a change. `check` may throw a fault because of it, also if the change is only tried. */
export async function checkResult<Result>(
  change: MaybePromise<Result>,
  check: (result: Result) => void,
): Promise<Result> {
  const result = await Promise.resolve(change).catch((error: unknown) => {
    // The change is the only one that this can be the result of.
    if (error instanceof DryRun) check(error.result as Result);
    throw error;
  });
  check(result);
  return result;
}
