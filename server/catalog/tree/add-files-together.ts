import { blockOf } from "../../domain/blob-id.ts";
import type { ChangedBy } from "../../domain/callers/caller.ts";
import { type Failure, toFailure } from "../../domain/faults/failure.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { childKey } from "../../domain/names/name.ts";
import type { BlobId, FileRecord, Key } from "../../domain/records.ts";
import { lockLeasedBlocks, lostLease } from "../blobs/require-leases.ts";
import type { Tx } from "../engine/tx.ts";
import { recordChangesOf } from "../feed/record-changes.ts";
import { ensureFolder } from "../folders/folder-path.ts";
import type { NewFiles } from "../port/file-tree.ts";
import { type Holder, nameTaken } from "../records/taken-names.ts";
import { claimNames } from "../trash/claim-names.ts";
import { visibilityIn } from "./folder-defaults.ts";
import { changesOf, rejectDuplicateNames, storeFiles } from "./store-files.ts";

/** What one request adds, and who sent it. */
export interface Addition {
  readonly input: NewFiles;
  readonly caller: ChangedBy;
}

/** The files of a request, or why it was refused. */
export type AddedTogether =
  | { readonly files: readonly FileRecord[]; readonly failure?: undefined }
  | { readonly files?: undefined; readonly failure: Failure };

/** More files of one request would gain little. */
const MAX_FILES = 8;

/** Additions for which this is the same can be made together; undefined: it must be made alone. */
export function togetherBy({ within }: ChangedBy, input: NewFiles): string | undefined {
  const { folder, files, owner, onConflict = "refuse", conditions, remember } = input;
  if (onConflict !== "refuse" || (conditions ?? remember) !== undefined) return undefined;
  if (files.length > MAX_FILES) return undefined;
  return JSON.stringify([folder, owner, within]);
}

/**
 * Does what `addFiles` does for each of the requests, one after another, with hardly more statements than for
 * one. All have the limit of the change. A request that is refused leaves no trace. Throws what would refuse all of them.
 */
export async function addFilesTogether(
  tx: Tx,
  additions: readonly Addition[],
): Promise<AddedTogether[]> {
  const [first] = additions;
  if (first === undefined) return [];
  const { folder: key, owner } = first.input;
  const blobs = additions.flatMap(({ input }) => input.files.map(({ blobId }) => blobId));
  const leased = await lockLeasedBlocks(tx, owner, blobs);
  const requests = additions.map((addition) => ({
    ...addition,
    refusal: refusalBy(() => check(addition.input, leased)),
  }));
  const valid = requests.filter(({ refusal }) => refusal === undefined);
  // No folder is created for nothing.
  const added = valid.length === 0 ? new Map() : await addValid(tx, valid, key);
  return requests.map(({ input, refusal }) =>
    refusal === undefined ? { files: addedOf(input, added) } : { failure: toFailure(refusal) },
  );
}

interface Request extends Addition {
  refusal: Fault | undefined;
}

/** Sets the refusals of those whose names are taken, and adds the files of the others. */
async function addValid(
  tx: Tx,
  requests: readonly Request[],
  key: Key,
): Promise<Map<BlobId, FileRecord>> {
  const { folder, created } = await ensureFolder(tx, key);
  const names = requests.flatMap(({ input }) => input.files.map(({ name }) => name));
  const taken = created.length > 0 ? new Map() : await claimNames(tx, folder.id, names);
  for (const request of requests) {
    request.refusal = refusalBy(() => takeNames(request.input, taken));
  }
  const accepted = requests.filter(({ refusal }) => refusal === undefined);
  const files = accepted.flatMap(({ input }) =>
    input.files.map((file) => ({
      ...file,
      visibility: input.visibility ?? visibilityIn(folder, input.defaultVisibility),
      replacedVisibility: undefined,
      lifetime: input.lifetime,
      replacedLifetime: undefined,
      metadata: input.metadata,
    })),
  );
  const stored = await storeFiles(tx, [{ folder, namesAreFree: true, files }], {
    onConflict: "refuse",
  });
  const byBlob = new Map(stored.added.map((file) => [file.blobId, file]));
  let folders = created;
  await recordChangesOf(
    tx,
    accepted.map(({ input, caller }) => {
      const added = addedOf(input, byBlob);
      const changes = changesOf(folders, { added, replaced: [] });
      folders = [];
      return { actor: caller.actor, changes };
    }),
  );
  return byBlob;
}

const addedOf = ({ files }: NewFiles, byBlob: ReadonlyMap<BlobId, FileRecord>): FileRecord[] =>
  files.flatMap(({ blobId }) => byBlob.get(blobId) ?? []);

/** Fault "unavailable": the lease of a blob is lost; "invalid", "conflict": what no folder can have. */
function check({ folder, files }: NewFiles, leased: ReadonlySet<number>): void {
  if (!files.every(({ blobId }) => leased.has(blockOf(blobId)))) throw lostLease();
  rejectDuplicateNames(files);
  for (const { name } of files) childKey(folder, name);
}

/** Fault "conflict". */
function takeNames({ files }: NewFiles, taken: Map<string, Holder>): void {
  for (const { name } of files) {
    const holder = taken.get(name);
    if (holder !== undefined) throw nameTaken(holder, name);
  }
  for (const { name } of files) taken.set(name, "file");
}

function refusalBy(step: () => void): Fault | undefined {
  try {
    step();
    return undefined;
  } catch (cause) {
    if (cause instanceof Fault) return cause;
    throw cause;
  }
}
