import type { ChangedBy } from "../../domain/callers/caller.ts";
import { fromFailure, toFailure } from "../../domain/faults/failure.ts";
import { Fault } from "../../domain/faults/fault.ts";
import type { FileRecord } from "../../domain/records.ts";
import { createGather } from "../../lib/gather.ts";
import type { Change } from "../changes.ts";
import type { Catalog } from "../port/catalog.ts";
import type { NewFiles } from "../port/file-tree.ts";
import { type AddedTogether, type Addition, togetherBy } from "../tree/add-files-together.ts";

const LIMITS = {
  // One transaction per process: a second one would wait for the first one's lock of the folder.
  concurrency: 1,
  maxWaitMs: 0,
  /** Requests in one transaction. */
  maxItems: 64,
};

/**
 * The catalog, in which requests that add files to one folder at the same time share a transaction. They would
 * wait for each other anyway, and their statements take more processor time than everything else of an upload.
 */
export function joinAdditions(catalog: Catalog, change: Change): Catalog {
  const lanes = new Map<string, Lane>();
  const accepted = new Set<Promise<unknown>>();
  let isClosed = false;

  async function add(additions: readonly Addition[]): Promise<readonly AddedTogether[]> {
    const [only] = additions;
    if (only === undefined) return [];
    if (additions.length === 1) {
      return [{ files: await change("addFiles", [only.input], only.caller) }];
    }
    try {
      // All of a lane have the same limit.
      return await change("addFilesTogether", [additions], only.caller);
    } catch (cause) {
      if (!(cause instanceof Fault) || cause.kind !== "quota_exceeded") throw cause;
      return addOneByOne(additions);
    }
  }

  /** Some of them fit into the quota, though not all do. */
  async function addOneByOne(additions: readonly Addition[]): Promise<AddedTogether[]> {
    const added: AddedTogether[] = [];
    for (const { input, caller } of additions) {
      added.push(
        await change("addFiles", [input], caller).then(
          (files) => ({ files }),
          (cause: unknown) => ({ failure: toFailure(cause) }),
        ),
      );
    }
    return added;
  }

  function laneOf(key: string): Lane {
    const known = lanes.get(key);
    if (known !== undefined) return known;
    const lane = { gather: createGather({ ...LIMITS, work: add }), waiting: 0 };
    lanes.set(key, lane);
    return lane;
  }

  function addFiles({ actor, within }: ChangedBy, input: NewFiles): Promise<FileRecord[]> {
    if (isClosed) return Promise.reject(new Fault("unavailable", "The catalog is closed."));
    const work = addInTurn({ actor, within }, input);
    const done: Promise<unknown> = work.catch(() => {}).finally(() => accepted.delete(done));
    accepted.add(done);
    return work;
  }

  async function addInTurn(caller: ChangedBy, input: NewFiles): Promise<FileRecord[]> {
    const key = togetherBy(caller, input);
    if (key === undefined) return change("addFiles", [input], caller);
    const lane = laneOf(key);
    lane.waiting += 1;
    try {
      const { files, failure } = await lane.gather({ input, caller });
      if (failure !== undefined) throw fromFailure(failure);
      return [...files];
    } finally {
      lane.waiting -= 1;
      if (lane.waiting === 0) lanes.delete(key);
    }
  }

  return {
    ...catalog,
    addFiles,
    async close() {
      isClosed = true;
      await Promise.all(accepted);
      await catalog.close();
    },
  };
}

interface Lane {
  readonly gather: (addition: Addition) => Promise<AddedTogether>;
  /** Requests that wait for their files. */
  waiting: number;
}
