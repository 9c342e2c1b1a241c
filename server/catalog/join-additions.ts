import type { Actor } from "../rules/activity.ts";
import { fromFailure } from "../rules/failure.ts";
import { createGather } from "../rules/gather.ts";
import type { FileRecord } from "../rules/records.ts";
import { COMMAND } from "../rules/tree-change.ts";
import { type AddedTogether, type Addition, togetherBy } from "./changes/add-files-together.ts";
import type { Change } from "./changes/changes.ts";
import type { NewFiles } from "./port/file-tree.ts";

/** Transactions of one process that add to the same folder: one writes while the other commits. */
const CONCURRENCY = 2;
const MAX_REQUESTS = 64;

/**
 * `addFiles` for many requests: those that add to one folder at the same time share a transaction, for
 * which they would wait for each other anyway.
 */
export function joinAdditions(
  change: Change,
): (input: NewFiles, actor?: Actor) => Promise<FileRecord[]> {
  const lanes = new Map<string, Lane>();

  async function add(additions: readonly Addition[]): Promise<readonly AddedTogether[]> {
    const [only] = additions;
    if (only === undefined || additions.length > 1) return change("addFilesTogether", [additions]);
    return [{ files: await change("addFiles", [only.input], only.actor) }];
  }

  function laneOf(key: string): Lane {
    const known = lanes.get(key);
    if (known !== undefined) return known;
    const limits = { concurrency: CONCURRENCY, maxItems: MAX_REQUESTS };
    const lane = { gather: createGather({ ...limits, work: add }), waiting: 0 };
    lanes.set(key, lane);
    return lane;
  }

  return async (input, actor = COMMAND) => {
    const key = togetherBy(input);
    if (key === undefined) return change("addFiles", [input], actor);
    const lane = laneOf(key);
    lane.waiting += 1;
    try {
      const { files, failure } = await lane.gather({ input, actor });
      if (failure !== undefined) throw fromFailure(failure);
      return [...files];
    } finally {
      lane.waiting -= 1;
      if (lane.waiting === 0) lanes.delete(key);
    }
  };
}

interface Lane {
  readonly gather: (addition: Addition) => Promise<AddedTogether>;
  /** Requests that wait for their files. */
  waiting: number;
}
