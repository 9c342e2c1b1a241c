import type { Blobs } from "../blobs/port.ts";
import type { BlobLedger, FileTree } from "../catalog/port.ts";
import { Fault } from "../rules/fault.ts";
import type { BlobId, FileRecord, FolderRecord } from "../rules/records.ts";
import { localHeader, type ZipEntry } from "../rules/zip.ts";
import { createZipPlan, type ZipPlan } from "../rules/zip-plan.ts";
import { findFolder, type Selector } from "./find.ts";
import { createFreeNames } from "./free-names.ts";

/** Files and folders as one zip, not yet read: the catalog has told all but the bytes. */
export interface Archive {
  /** What to save it as. */
  readonly name: string;
  /** In bytes, exactly. */
  readonly size: number;
  /**
   * The zip, read as it is consumed. It breaks with a fault when bytes that were promised are gone
   * by the time they are needed: a zip that is short is never whole.
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
  /** A record without its bytes. */
  readonly onDamage: (file: FileRecord) => void;
  /** In bytes; without it, what some two million files take. */
  readonly mostPlanned?: number;
}

export interface Archives {
  /** A folder with everything inside, under its name. Faults "not_found"; "too_large": see below. */
  folder(selector: Selector): Promise<Archive>;
  /**
   * Files and folders side by side; of equal names the later ones get a number. Each id counts
   * once. Faults: "not_found": one of them does not exist; "invalid": none, or too many;
   * "too_large": so many entries that their directory takes more memory than an archive may.
   */
  selection(selection: Selection): Promise<Archive>;
}

/** Each is looked up by itself. */
const MOST = 10_000;
/** Folders may lie within each other, so that few ids and files come to any number of entries. */
const MOST_PLANNED = 256 * 1024 * 1024;
/** Small pieces are put together to this many bytes. */
const PIECE = 64 * 1024;

export function createArchives(parts: ArchiveParts): Archives {
  const { catalog } = parts;

  return {
    async folder(selector) {
      const folder = await findFolder(catalog, selector);
      const archive = draft(parts);
      await archive.addFolder(folder, folder.name);
      return archive.finish(folder.name);
    },

    async selection(selection) {
      const ids = [...new Set(selection.ids)];
      const folderIds = [...new Set(selection.folderIds)];
      const count = ids.length + folderIds.length;
      if (count === 0 || count > MOST) {
        throw new Fault(
          "invalid",
          `\`ids\` and \`folderIds\` must have from 1 to ${MOST} ids together, and have ${count}.`,
        );
      }
      const archive = draft(parts);
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

/** Stands for the root, and for a mixed selection. */
const ROOT_NAME = "files";

function draft({ catalog, blobs, onDamage, mostPlanned = MOST_PLANNED }: ArchiveParts) {
  const encoder = new TextEncoder();
  const plan = createZipPlan();
  /** Of the files that have bytes, in the plan's order. */
  const blobIds: BlobId[] = [];

  function add(path: string, content: Omit<ZipEntry, "path">): void {
    plan.add({ path: encoder.encode(path), ...content });
    if (plan.weight() > mostPlanned) {
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

  /** An empty path puts what is inside at the top. */
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
      read: () => together(pieces(plan, blobIds)),
    }),
  };

  async function* pieces(from: ZipPlan, ids: readonly BlobId[]): AsyncGenerator<Uint8Array> {
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
    if (body === undefined) throw await absence(id);
    let left = size;
    for await (const chunk of body instanceof Blob ? body.stream() : body) {
      left -= chunk.length;
      yield chunk;
    }
    if (left !== 0) throw await absence(id);
  }

  /** Deleted meanwhile, or damaged when a record still refers to the bytes. */
  async function absence(id: BlobId): Promise<Error> {
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

async function* together(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let small: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    small.push(piece);
    length += piece.length;
    if (length < PIECE) continue;
    // A large piece goes as it is, without a copy.
    if (small.length === 1) yield piece;
    else yield Buffer.concat(small);
    small = [];
    length = 0;
  }
  if (length > 0) yield Buffer.concat(small);
}
