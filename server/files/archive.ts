import type { Blobs } from "../blobs/port.ts";
import type { BlobLedger, FileTree } from "../catalog/port.ts";
import { Fault } from "../rules/fault.ts";
import type { BlobId, FileRecord, FolderRecord } from "../rules/records.ts";
import { localHeader, type ZipEntry } from "../rules/zip.ts";
import { createZipPlan, type ZipPlan } from "../rules/zip-plan.ts";
import { findFolder, type Selector } from "./find.ts";
import { createFreeNames } from "./free-names.ts";

/** Files and folders as one zip. Its size is known before any file is read. */
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
}

export interface Selection {
  readonly ids: readonly string[];
  readonly folderIds: readonly string[];
}

export interface ArchiveParts {
  readonly catalog: FileTree & BlobLedger;
  readonly blobs: Blobs;
  /** Called for a record whose bytes are missing. */
  readonly onDamage: (file: FileRecord) => void;
  /** In bytes. Default: enough for about two million files. */
  readonly maxPlanBytes?: number;
}

export interface Archives {
  /** A folder with all its content. Faults "not_found"; "too_large" as below. */
  folder(selector: Selector): Promise<Archive>;
  /**
   * Files and folders at the top level; duplicate names get a number. Repeated ids count once. Faults:
   * "not_found": an id does not exist; "invalid": no ids, or too many; "too_large": the zip's central
   * directory takes too much memory.
   */
  selection(selection: Selection): Promise<Archive>;
}

/** Each id is one lookup. */
const MAX_IDS = 10_000;
/** Selected folders may contain each other, so a few ids can mean any number of entries. */
const MAX_PLAN_BYTES = 256 * 1024 * 1024;
/** Small chunks are joined up to this many bytes. */
const CHUNK = 64 * 1024;

export function createArchives(parts: ArchiveParts): Archives {
  const { catalog } = parts;

  return {
    async folder(selector) {
      const folder = await findFolder(catalog, selector);
      const archive = startArchive(parts);
      await archive.addFolder(folder, folder.name);
      return archive.finish(folder.name);
    },

    async selection(selection) {
      const ids = [...new Set(selection.ids)];
      const folderIds = [...new Set(selection.folderIds)];
      const count = ids.length + folderIds.length;
      if (count === 0 || count > MAX_IDS) {
        throw new Fault(
          "invalid",
          `\`ids\` and \`folderIds\` must have between 1 and ${MAX_IDS} ids together, not ${count}.`,
        );
      }
      const archive = startArchive(parts);
      const freeName = createFreeNames();
      let only = "";
      for (const id of folderIds) {
        const folder = await catalog.folderById(id);
        if (folder === undefined) throw new Fault("not_found", `There is no folder "${id}".`);
        only = folder.name;
        await archive.addFolder(folder, freeName(folder.name === "" ? ROOT_NAME : folder.name));
      }
      for (const id of ids) {
        const file = await catalog.fileById(id);
        if (file === undefined) throw new Fault("not_found", `There is no file "${id}".`);
        only = file.name;
        archive.addFile(file, freeName(file.name));
      }
      return archive.finish(count === 1 ? only : "");
    },
  };
}

/** Name of the root folder and of mixed selections. */
const ROOT_NAME = "files";

function startArchive({ catalog, blobs, onDamage, maxPlanBytes = MAX_PLAN_BYTES }: ArchiveParts) {
  const encoder = new TextEncoder();
  const plan = createZipPlan();
  /** The blobs of all non-empty files, in the order of the plan. */
  const blobIds: BlobId[] = [];

  function add(path: string, content: Omit<ZipEntry, "path">): void {
    plan.add({ path: encoder.encode(path), ...content });
    if (plan.weight() > maxPlanBytes) {
      throw new Fault(
        "too_large",
        "A zip of this many files and folders is too large: download fewer folders at once.",
      );
    }
  }

  function addFile(file: FileRecord, path: string): void {
    const { size, checksum, modifiedAt } = file;
    add(path, { size, checksum, modifiedAt });
    if (size > 0) blobIds.push(file.blobId);
  }

  /** With an empty path, adds the folder's content at the top level. */
  async function addFolder(folder: FolderRecord, path: string): Promise<void> {
    const prefix = path === "" ? "" : `${path}/`;
    if (prefix !== "") {
      add(prefix, { size: 0, checksum: 0, modifiedAt: folder.updatedAt });
    }
    for await (const batch of catalog.listFiles({ folderId: folder.id }, byName)) {
      for (const file of batch) addFile(file, prefix + file.name);
    }
    for await (const batch of catalog.listFolders(folder.id)) {
      for (const inner of batch) await addFolder(inner, prefix + inner.name);
    }
  }

  return {
    addFile,
    addFolder,
    finish: (name: string): Archive => ({
      name: `${name === "" ? ROOT_NAME : name}.zip`,
      size: plan.size(),
      read: () => joinSmallChunks(chunks(plan, blobIds)),
    }),
  };

  async function* chunks(from: ZipPlan, ids: readonly BlobId[]): AsyncGenerator<Uint8Array> {
    let next = 0;
    for (const entry of from.entries()) {
      yield localHeader(entry);
      const id = ids[next];
      if (entry.size === 0 || id === undefined) continue;
      next += 1;
      yield* bytesOf(id, entry.size);
    }
    yield* from.ending();
  }

  async function* bytesOf(id: BlobId, size: number): AsyncGenerator<Uint8Array> {
    const body = await blobs.read(id, size);
    if (body === undefined) throw await missingBlobError(id);
    let left = size;
    for await (const chunk of body instanceof Blob ? body.stream() : body) {
      left -= chunk.length;
      yield chunk;
    }
    if (left !== 0) throw await missingBlobError(id);
  }

  /** Not found if the file was deleted meanwhile; otherwise a record still refers to the blob: damage. */
  async function missingBlobError(id: BlobId): Promise<Error> {
    const [stored] = await catalog.blobsAfter(id - 1, 1);
    const file = stored?.blobId === id ? await catalog.fileById(stored.fileId) : undefined;
    if (file === undefined) {
      return new Fault("not_found", "A file was deleted while its zip was being sent.");
    }
    onDamage(file);
    return new Error(`The bytes of "${file.key}" are missing or too short.`);
  }
}

const byName = { orderBy: "name", direction: "ASC", offset: 0, limit: null } as const;

async function* joinSmallChunks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let small: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    small.push(chunk);
    length += chunk.length;
    if (length < CHUNK) continue;
    // A large chunk is not copied.
    if (small.length === 1) yield chunk;
    else yield Buffer.concat(small);
    small = [];
    length = 0;
  }
  if (length > 0) yield Buffer.concat(small);
}
