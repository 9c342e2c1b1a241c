import type { Blobs } from "../../blobs/port.ts";
import type { BlobLedger } from "../../catalog/port/blob-ledger.ts";
import type { FileTree } from "../../catalog/port/file-tree.ts";
import type { Authorized } from "../../domain/callers/authorize.ts";
import type { SeenBy } from "../../domain/callers/caller.ts";
import { type Ref, uniqueRefs } from "../../domain/callers/ref.ts";
import { Fault } from "../../domain/faults/fault.ts";
import type { FileRecord, FolderRecord, Name } from "../../domain/records.ts";
import { createMemoryBudget, type MemoryBudget } from "../../lib/memory-budget.ts";
import { type TimeSlices, threadSlices } from "../../lib/time-slices.ts";
import { type FolderSelector, findFolder } from "../find.ts";
import { MAX_ARCHIVE_BUFFERS, type PlannedArchive, planArchive } from "./archive-planner.ts";
import { createFreeNames, nameOnWindows } from "./free-names.ts";
import { createReadArchive } from "./read-archive.ts";

/**
 * Files and folders as one zip. Its size is known before any file is read. Every archive must be
 * released.
 */
export interface Archive {
  /** The suggested file name. */
  readonly name: string;
  /** In bytes, exactly. */
  readonly size: number;
  /**
   * The zip, read as it is consumed. Throws when a file's bytes are gone by the time they are needed,
   * so a truncated zip never looks complete.
   */
  read(): AsyncGenerator<Uint8Array>;
  /** Returns the archive's memory to the budget, when it was read or will not be. May be repeated. */
  release(): void;
}

export interface Selection {
  readonly ids: readonly Ref[];
  readonly folderIds: readonly Ref[];
}

/** "": the content is at the top level of the zip. */
export type ArchivedName = Name | "";

export interface ArchiveDeps {
  readonly catalog: FileTree & BlobLedger;
  readonly blobs: Blobs;
  /** Called for a record whose bytes are missing. */
  readonly onDamage: (file: FileRecord) => void;
  /** The memory of all archives together. Default: 64 MiB. */
  readonly memory?: MemoryBudget;
  /** In bytes. Default: as much as fits into `memory` when there is no other archive. */
  readonly maxPlanBytes?: number;
  readonly slices?: TimeSlices;
}

/**
 * Planning and reading leave the event loop to other requests every few milliseconds. All archives
 * share one budget of memory.
 */
export interface Archives {
  /**
   * A folder with all its content. Faults "not_found"; "too_large" and "unavailable" as below. Aborting
   * `signal` ends the planning. `name`: of the zip and the folder in it, instead of its own.
   */
  folder(
    caller: Authorized<"list" | "read">,
    selector: FolderSelector,
    signal?: AbortSignal,
    name?: ArchivedName,
  ): Promise<Archive>;
  /**
   * Files and folders at the top level; duplicate names get a number. What is selected twice, also by id and by key, is there once. Faults:
   * "not_found": a file or folder does not exist; "invalid": none, or too many; "too_large": the zip's central
   * directory takes too much memory, even alone; "unavailable": other archives use the memory.
   */
  selection(
    caller: Authorized<"list" | "read">,
    selection: Selection,
    signal?: AbortSignal,
  ): Promise<Archive>;
  /**
   * Looks a selection up without planning it, as a plan takes memory that all archives share: callers whose actions are
   * not known yet get none. Faults "not_found" and "invalid", as for `selection`.
   */
  checkSelection(caller: SeenBy, selection: Selection): Promise<void>;
}

/** Each id is one lookup. */
const MAX_IDS = 10_000;
/** Name of the root folder and of mixed selections. */
const ROOT_NAME = "files";
/** Default for all archives together. In bytes. */
export const ARCHIVE_MEMORY = 64 * 1024 * 1024;

export function createArchives(deps: ArchiveDeps): Archives {
  const { catalog, memory = createMemoryBudget(ARCHIVE_MEMORY), slices = threadSlices } = deps;
  const { maxPlanBytes = memory.maxBytes - MAX_ARCHIVE_BUFFERS } = deps;
  const planning = { catalog, slices, memory, maxPlanBytes };
  const readArchive = createReadArchive({ ...deps, slices });

  const archiveOf = (
    caller: SeenBy,
    name: string,
    { plan, memory: reserved }: PlannedArchive,
  ): Archive => ({
    name: archiveName(name),
    size: plan.size(),
    read: () => readArchive(caller, plan),
    release: () => reserved.release(),
  });

  return {
    async folder(caller, selector, signal, wanted) {
      const folder = await findFolder(caller, catalog, selector);
      const name = wanted ?? folder.name;
      const planned = await planArchive({ ...planning, caller }, signal, (planner) =>
        planner.addFolder(folder, nameOnWindows(name)),
      );
      return archiveOf(caller, name, planned);
    },

    async selection(caller, selection, signal) {
      const { ids, folderIds } = uniqueSelection(selection);
      const freeName = createFreeNames();
      let only = "";
      const seen = new Set<string>();
      const isRepeated = ({ id }: { readonly id: string }): boolean => {
        if (seen.has(id)) return true;
        seen.add(id);
        return false;
      };
      const planned = await planArchive({ ...planning, caller }, signal, async (planner) => {
        for (const id of folderIds) {
          const folder = await selectedFolder(caller, catalog, id);
          if (isRepeated(folder)) continue;
          only = folder.name;
          await planner.addFolder(
            folder,
            freeName(folder.name === "" ? ROOT_NAME : folder.name, "folder"),
          );
        }
        for (const id of ids) {
          const file = await selectedFile(caller, catalog, id);
          if (isRepeated(file)) continue;
          only = file.name;
          await planner.addFile(file, freeName(file.name, "file"));
        }
      });
      return archiveOf(caller, seen.size === 1 ? only : "", planned);
    },

    async checkSelection(caller, selection) {
      const { ids, folderIds } = uniqueSelection(selection);
      for (const id of folderIds) {
        await selectedFolder(caller, catalog, id);
        await slices.next();
      }
      for (const id of ids) {
        await selectedFile(caller, catalog, id);
        await slices.next();
      }
    },
  };
}

/** The file name of the zip of a folder. */
export const archiveName = (folder: string): string => `${folder === "" ? ROOT_NAME : folder}.zip`;

/** Fault "invalid": nothing is selected, or too much. */
function uniqueSelection(selection: Selection) {
  const ids = uniqueRefs(selection.ids);
  const folderIds = uniqueRefs(selection.folderIds);
  const count = ids.length + folderIds.length;
  if (count === 0 || count > MAX_IDS) {
    throw new Fault(
      "invalid",
      `\`ids\`, \`folderIds\`, \`keys\` and \`folders\` must have between 1 and ${MAX_IDS} ids and keys together, not ${count}.`,
    );
  }
  return { ids, folderIds };
}

async function selectedFolder(caller: SeenBy, catalog: FileTree, ref: Ref): Promise<FolderRecord> {
  const folder = await (typeof ref === "string"
    ? catalog.folderById(caller, ref)
    : catalog.folderByKey(caller, ref.key));
  if (folder === undefined) throw new Fault("not_found", `There is no folder "${shown(ref)}".`);
  return folder;
}

async function selectedFile(caller: SeenBy, catalog: FileTree, ref: Ref): Promise<FileRecord> {
  const file = await (typeof ref === "string"
    ? catalog.fileById(caller, ref)
    : catalog.fileByKey(caller, ref.key));
  if (file === undefined) throw new Fault("not_found", `There is no file "${shown(ref)}".`);
  return file;
}

const shown = (ref: Ref): string => (typeof ref === "string" ? ref : ref.key);
