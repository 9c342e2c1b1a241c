import { EVERYTHING, type FolderIds, limitsOf, type SeenBy } from "../../domain/callers/caller.ts";
import { positionAfter } from "../../domain/list-position.ts";
import { ROOT_KEY } from "../../domain/names/name.ts";
import type { FileRecord, ListPosition, Page } from "../../domain/records.ts";
import { giveWay } from "../../lib/time-slices.ts";
import type { Engine } from "../engine/engine.ts";
import { compiledForItems, perShape } from "../engine/prepared-statement.ts";
import type { FileFilter } from "../port/file-tree.ts";
import { createQueriesWithin } from "../records/find-within.ts";
import { isInFolders } from "../records/is-in-folders.ts";
import { selectMarkedFiles } from "../records/select-records.ts";
import { isPast, matches, walk } from "./file-walk.ts";
import type { FilesWithin } from "./files-within.ts";
import { createFoldersWithin } from "./folders-within.ts";
import { createListFilesWithin } from "./list-files-within.ts";
import { MAX_MERGED } from "./merge-folders.ts";
import { skipFiles, skipRemoved } from "./skip-files.ts";

/** Larger batches are hardly faster, and leave more to the garbage collector. */
const BATCH = 250;
/** While removed folders are being emptied, many of their files may be among the others. */
const BATCH_WITH_REMOVED = 1000;
/** Steps over files of removed folders, after which a page is merged from the other folders. */
const MAX_STEPS = 2;
/** Files of a page that is merged. */
const MAX_MERGED_PAGE = 250;

export function createListFiles(
  engine: Pick<Engine, "db" | "all" | "first" | "generation" | "now">,
) {
  const { db, all, generation } = engine;
  const { topFolder } = createQueriesWithin(engine);
  const { idsOf } = createFoldersWithin(engine);
  const listFilesWithin = createListFilesWithin(engine);

  /** For lists of the whole tree as of one folder. */
  async function filesOfRoot({ within }: SeenBy, { name }: FileFilter): Promise<FilesWithin> {
    const { id } = await db
      .selectFrom("folders")
      .select("folders.id")
      .where("folders.key", "=", ROOT_KEY)
      .executeTakeFirstOrThrow();
    const limits: FolderIds = within === EVERYTHING ? [id] : within;
    return { within: limits, topId: id, topKey: ROOT_KEY, name, sha256: undefined };
  }

  /**
   * Whether files are found faster in each folder than after those of removed folders. With many folders,
   * PostgreSQL would walk over these again for each: it plans by statistics, which do not know them.
   */
  const areFewFolders = async (files: FilesWithin): Promise<boolean> =>
    generation !== undefined || (await idsOf(files, MAX_MERGED + 1)).length <= MAX_MERGED;

  return async function* listFiles(
    caller: SeenBy,
    filter: FileFilter,
    page: Page,
  ): AsyncGenerator<FileRecord[]> {
    const { within } = caller;
    if (within !== EVERYTHING && filter.folderId === undefined) {
      const top = await topFolder(within);
      if (top === undefined) return;
      if (top.key !== ROOT_KEY) {
        const { name, sha256 } = filter;
        yield* listFilesWithin({ within, topId: top.id, topKey: top.key, name, sha256 }, page);
        return;
      }
    }
    let place = page.after;
    if (page.offset > 0) {
      place = await skipFiles(db, filter, page);
      if (place === undefined) return;
    }
    let wanted = page.limit ?? Number.POSITIVE_INFINITY;
    let limit = Math.min(wanted, BATCH);
    const { orderBy, direction } = page;
    const inFolder = filter.folderId !== undefined;
    const named = filter.name !== undefined;
    const digested = filter.sha256 !== undefined;
    const shape = { orderBy, direction, inFolder, named, digested };
    // All files of one folder are in the tree, or none is.
    const isPage = wanted <= MAX_MERGED_PAGE && !inFolder && !digested;
    let maxSteps = isPage ? MAX_STEPS : Number.POSITIVE_INFINITY;
    const limits = limitsOf(within).map((id) => ({ id }));
    while (wanted > 0) {
      const statement = selectBatch({ ...shape, isFirst: place === undefined })(limits.length);
      const rows = await all(statement, { items: limits, shared: valuesOf(filter, place, limit) });
      const batch = rows.flatMap(({ removed, ...file }): FileRecord[] => (removed ? [] : [file]));
      if (batch.length > wanted) batch.length = wanted;
      if (batch.length > 0) yield batch;
      const last = rows.at(-1);
      if (last === undefined || rows.length < limit) return;
      place = positionAfter(last, page.orderBy);
      if (batch.length === 0) {
        const skipped = await skipRemoved(db, filter, page, { from: place, maxSteps });
        place = skipped.place;
        if (skipped.goesOn) {
          const files = await filesOfRoot(caller, filter);
          if (await areFewFolders(files)) {
            yield* listFilesWithin(files, { ...page, offset: 0, after: place, limit: wanted });
            return;
          }
          maxSteps = Number.POSITIVE_INFINITY;
        }
      }
      wanted -= batch.length;
      limit = batch.length < rows.length ? BATCH_WITH_REMOVED : Math.min(wanted, BATCH);
      await giveWay();
    }
  };
}

interface BatchValues {
  readonly folderId: string;
  readonly name: string;
  readonly sha256: string;
  readonly placeValue: ListPosition["value"];
  readonly placeId: string;
  readonly limit: number;
}

/** Values without a placeholder in the statement are ignored. */
const valuesOf = (
  filter: FileFilter,
  place: ListPosition | undefined,
  limit: number,
): BatchValues => ({
  folderId: filter.folderId ?? "",
  name: filter.name ?? "",
  sha256: filter.sha256 ?? "",
  placeValue: place?.value ?? null,
  placeId: place?.id ?? "",
  limit,
});

interface BatchShape extends Pick<Page, "orderBy" | "direction"> {
  readonly inFolder: boolean;
  readonly named: boolean;
  readonly digested: boolean;
  readonly isFirst: boolean;
}

type RemovableFile = FileRecord & { readonly removed: 0 | 1 };

const selectBatch = perShape(
  ({ orderBy, direction, inFolder, named, digested, isFirst }: BatchShape) =>
    `${orderBy} ${direction} ${inFolder} ${named} ${digested} ${isFirst}`,
  (shape) =>
    compiledForItems<{ id: string }, BatchValues, RemovableFile>((db, limits, param) => {
      const filter = {
        ...(shape.inFolder ? { folderId: param("folderId") } : {}),
        ...(shape.named ? { name: param("name") } : {}),
        ...(shape.digested ? { sha256: param("sha256") } : {}),
      };
      const place = shape.isFirst
        ? undefined
        : { value: param("placeValue"), id: param("placeId") };
      return selectMarkedFiles(db)
        .where(matches(filter))
        .where(isInFolders(limits.map((limit) => limit("id"))))
        .where(isPast(shape, place))
        .orderBy(walk(shape))
        .limit(param("limit"));
    }),
);
