import { expect } from "bun:test";
import { z } from "zod";
import { BLOCK_SIZE, blobId } from "../../domain/blob-id.ts";
import {
  type Caller,
  COMMAND_EVERYWHERE,
  callerWith,
  type SeenBy,
} from "../../domain/callers/caller.ts";
import { FULL_SCOPE } from "../../domain/callers/scope.ts";
import { Fault, type FaultKind } from "../../domain/faults/fault.ts";
import type { Lifetime } from "../../domain/lifetime.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import type { OnConflict } from "../../domain/names/on-conflict.ts";
import type {
  BlobId,
  FileRecord,
  FolderRecord,
  MetadataText,
  Page,
  Sha256,
  Visibility,
} from "../../domain/records.ts";
import type { VersionRecord } from "../../domain/trash.ts";
import { COMMAND } from "../../domain/tree-change.ts";
import type { Catalog } from "../port/catalog.ts";
import type { FileFilter } from "../port/file-tree.ts";
import type { SearchHit } from "../port/search.ts";

/** A catalog that is empty but for its root, and ways to manipulate it. */
export interface CatalogFixture {
  readonly catalog: Catalog;
  /** Whether a server that opens it knows that all earlier servers have exited. */
  readonly isExclusive: boolean;
  /** Closes it and opens it again as a server does. */
  reopen(): Promise<Catalog>;
  /** Makes all leases and holds older. */
  age(seconds: number): Promise<void>;
  /** Moves the clock that files and links end by. Negative: back. */
  passTime(seconds: number): Promise<void>;
  /** Creates an empty folder with `count` subfolders, named by their numbers. */
  makeFolders(parent: string, count: number): Promise<void>;
  /** The names of all files, wherever they are, with their stored sort keys. */
  fileNames(): Promise<readonly FileName[]>;
  /** Every row of every table, in a fixed order. */
  everything(): Promise<readonly string[]>;
  /** Closes it and deletes its data. */
  end(): Promise<void>;
}

const fileName = z.object({ name: z.string(), sortKey: z.string() });
export type FileName = z.infer<typeof fileName>;

/** Parses what `SELECT_FILE_NAMES` finds. */
export const readFileNames = (rows: unknown): FileName[] => z.array(fileName).parse(rows);

export const SELECT_FILE_NAMES = 'select name, natural_name as "sortKey" from files';

export type OpenCatalogFixture = () => Promise<CatalogFixture>;

export interface Wanted {
  readonly folder?: string;
  /** The default of the instance. Default: public. */
  readonly visibility?: Visibility;
  readonly size?: number;
  readonly mimeType?: string;
  readonly onConflict?: OnConflict;
  /** What the upload names. Default: none. */
  readonly namedVisibility?: Visibility;
  /** Default: null. */
  readonly sha256?: Sha256;
  readonly metadata?: MetadataText | null;
  /** Default: one without a limit. */
  readonly caller?: Caller;
  readonly keepReplacedMs?: number;
  readonly lifetime?: Lifetime;
}

/** Adds files as an upload does, with blobs of leased blocks. */
export function createUploader(catalog: Catalog, owner = "tester") {
  let block: Promise<number> | undefined;
  let next = 0;

  async function takeBlob(): Promise<BlobId> {
    if (block === undefined || next === BLOCK_SIZE) {
      const leased = catalog.leaseBlock(owner);
      // The next blob asks again after a refusal.
      leased.catch(() => {
        if (block === leased) block = undefined;
      });
      block = leased;
      next = 0;
    }
    const position = next;
    next += 1;
    return blobId(await block, position);
  }

  return {
    owner,
    takeBlob,
    async add(names: readonly string[], wanted: Wanted = {}): Promise<FileRecord[]> {
      const { folder = "", visibility = "public", size = 1, mimeType = "text/plain" } = wanted;
      const blobs = await Promise.all(names.map(takeBlob));
      const files = names.map((name, index) => ({
        name: parseName(name),
        mimeType,
        size,
        blobId: blobs[index] ?? blobId(0, 0),
        checksum: 0xffffffff,
        sha256: wanted.sha256 ?? null,
      }));
      const { onConflict, namedVisibility, metadata, keepReplacedMs, lifetime } = wanted;
      const { caller = COMMAND_EVERYWHERE } = wanted;
      const visibilities = { visibility: namedVisibility, defaultVisibility: visibility };
      const input = { folder: parseKey(folder), files, ...visibilities, owner, keepReplacedMs };
      return catalog.addFiles(caller, { ...input, onConflict, metadata, lifetime });
    },
    async addOne(name: string, wanted: Wanted = {}): Promise<FileRecord> {
      const [file] = await this.add([name], wanted);
      if (file === undefined) throw new Error("addFiles returned no record.");
      return file;
    },
  };
}

/** A caller of the command line who sees only what is in all of these folders. */
export const limitedTo = (folderIds: readonly string[]): Caller =>
  callerWith(COMMAND, { ...FULL_SCOPE, folderIds });

/** In milliseconds. */
export const DAY = 86_400_000;

/** The keys of the files and folders in the trash, latest first. */
export const trashedKeys = async (
  catalog: Catalog,
  caller: SeenBy = COMMAND_EVERYWHERE,
): Promise<string[]> =>
  (await catalog.listTrash(caller, { limit: 100 })).items.map(({ key }) => key);

/** All versions of a file, latest first. */
export const versionsOf = async (
  catalog: Catalog,
  fileId: string,
  caller: SeenBy = COMMAND_EVERYWHERE,
): Promise<readonly VersionRecord[]> =>
  (await catalog.listVersions(caller, { fileId, limit: 1000 })).versions;

export async function expectFault(
  work: Promise<unknown>,
  kind: FaultKind,
  says = "",
): Promise<void> {
  const outcome = await work.then(
    (value) => value,
    (cause: unknown) => cause,
  );
  expect(outcome).toBeInstanceOf(Fault);
  expect(outcome).toMatchObject({ kind });
  // A matcher in `toMatchObject` would take the place of the message, in an error that others may get too.
  expect(outcome).toHaveProperty("message", expect.stringContaining(says));
}

export const everything: Page = { orderBy: "name", direction: "ASC", offset: 0, limit: null };

export async function listAll(
  catalog: Catalog,
  { caller = COMMAND_EVERYWHERE, ...filter }: FileFilter & { readonly caller?: SeenBy } = {},
  page: Partial<Page> = {},
): Promise<FileRecord[]> {
  const batches = await Array.fromAsync(
    catalog.listFiles(caller, filter, { ...everything, ...page }),
  );
  return batches.flat();
}

/** The keys of all files, in order. */
export async function allKeys(catalog: Catalog): Promise<string[]> {
  return (await listAll(catalog)).map(({ key }) => `${key}`).sort();
}

export async function folderAt(catalog: Catalog, path: string): Promise<FolderRecord> {
  const folder = await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey(path));
  if (folder === undefined) throw new Error(`There is no folder ${path}.`);
  return folder;
}

/** The records that a search finds. */
export async function recordsFound<R>(hits: AsyncIterable<SearchHit<R, unknown>[]>): Promise<R[]> {
  return (await Array.fromAsync(hits)).flat().flatMap(({ record }) => record ?? []);
}

/** Waits until the clock shows another millisecond. */
export const tick = (): Promise<void> => Bun.sleep(2);
