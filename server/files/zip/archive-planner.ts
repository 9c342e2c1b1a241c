import type { FileTree } from "../../catalog/port/file-tree.ts";
import type { SeenBy } from "../../domain/callers/caller.ts";
import { ConnectionClosed } from "../../domain/faults/connection-closed.ts";
import { Fault } from "../../domain/faults/fault.ts";
import type { FileRecord, FolderRecord } from "../../domain/records.ts";
import type { MemoryBudget, MemoryReservation } from "../../lib/memory-budget.ts";
import type { TimeSlices } from "../../lib/time-slices.ts";
import { createFreeNames } from "./free-names.ts";
import type { ZipEntry } from "./zip.ts";
import { createZipPlan, PLAN_BUFFERS, type ZipPlan } from "./zip-plan.ts";

/** Plans one archive. Faults of every method: "too_large", "unavailable", as for `Archives`. */
export interface ArchivePlanner {
  addFile(file: FileRecord, path: string): Promise<void>;
  /** A folder with all its content; with an empty path, the content at the top level. */
  addFolder(folder: FolderRecord, path: string): Promise<void>;
  finish(): PlannedArchive;
}

export interface PlannedArchive {
  readonly plan: ZipPlan;
  /** The memory of the plan, and of the content on its way to the client. */
  readonly memory: MemoryReservation;
}

export interface PlannerDeps {
  readonly caller: SeenBy;
  readonly catalog: FileTree;
  readonly slices: TimeSlices;
  /** Shared by all archives. */
  readonly memory: MemoryBudget;
  /** In bytes. */
  readonly maxPlanBytes: number;
}

/** Content on its way to the client: what a file's stream, the joined chunks and the runtime hold. */
const MAX_CONTENT_BUFFERS = 2 * 1024 * 1024;
/** The memory of an archive, apart from its entries. */
export const MAX_ARCHIVE_BUFFERS = PLAN_BUFFERS + MAX_CONTENT_BUFFERS;
/** What `createFreeNames` keeps of a name. */
const NAME_BYTES = 32;
const RETRY_SECONDS = 10;

/**
 * The plan of what `work` adds. If it throws, the memory is released. Ends early once the client is
 * gone: `signal` aborts then.
 */
export async function planArchive(
  deps: PlannerDeps,
  signal: AbortSignal | undefined,
  work: (planner: ArchivePlanner) => Promise<void>,
): Promise<PlannedArchive> {
  const planned = { plan: createZipPlan(), memory: deps.memory.open() };
  try {
    const planner = createPlanner(deps, planned, signal);
    await work(planner);
    return planner.finish();
  } catch (error) {
    planned.memory.release();
    throw error;
  }
}

function createPlanner(
  { caller, catalog, slices, maxPlanBytes }: PlannerDeps,
  { plan, memory }: PlannedArchive,
  signal: AbortSignal | undefined,
): ArchivePlanner {
  const encoder = new TextEncoder();

  async function nextSlice(): Promise<void> {
    if (signal?.aborted) throw clientGone();
    await slices.next();
  }

  /** Names that the folders being added remember. */
  let names = 0;

  function reserve(contentBytes: number): void {
    const weight = plan.weight() + names * NAME_BYTES;
    if (weight > maxPlanBytes) throw tooLarge();
    if (!memory.resize(PLAN_BUFFERS + weight + contentBytes)) throw noMemory();
  }

  function add(path: string, content: Omit<ZipEntry, "path">, file?: FileRecord): void {
    plan.add({ path: encoder.encode(path), ...content }, file?.blobId);
    reserve(0);
  }

  function addRecord(file: FileRecord, path: string): void {
    const { size, checksum, modifiedAt } = file;
    add(path, { size, checksum, modifiedAt }, size > 0 ? file : undefined);
  }

  async function addFolder(folder: FolderRecord, path: string): Promise<void> {
    const prefix = path === "" ? "" : `${path}/`;
    if (prefix !== "") add(prefix, { size: 0, checksum: 0, modifiedAt: folder.updatedAt });
    await nextSlice();
    const freeName = createFreeNames();
    const namesBefore = names;
    for await (const batch of catalog.listFiles(caller, { folderId: folder.id }, byName)) {
      names += batch.length;
      for (const file of batch) addRecord(file, prefix + freeName(file.name, "file"));
      await nextSlice();
    }
    for await (const batch of catalog.listFolders(caller, folder.id)) {
      names += batch.length;
      for (const inner of batch) await addFolder(inner, prefix + freeName(inner.name, "folder"));
    }
    names = namesBefore;
  }

  reserve(0);
  return {
    addFolder,
    async addFile(file, path) {
      addRecord(file, path);
      await nextSlice();
    },
    finish() {
      reserve(Math.min(plan.size(), MAX_CONTENT_BUFFERS));
      return { plan, memory };
    },
  };
}

const byName = { orderBy: "name", direction: "ASC", offset: 0, limit: null } as const;

const tooLarge = (): Fault =>
  new Fault(
    "too_large",
    "A zip of this many files and folders is too large: download fewer folders at once.",
  );

const clientGone = (): ConnectionClosed =>
  new ConnectionClosed("The connection closed before the zip was ready.");

const noMemory = (): Fault =>
  new Fault(
    "unavailable",
    "The zips that are being downloaded use all memory for zips. Try again when one of them is complete.",
    { retryAfter: RETRY_SECONDS },
  );
