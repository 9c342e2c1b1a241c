import { declaredCharset } from "../../../contract/text/charset.ts";
import type { NewFiles } from "../../catalog/port/file-tree.ts";
import type { Caller } from "../../domain/callers/caller.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { type KeepSettings, keepReplaced } from "../../domain/keep-time.ts";
import type { Lifetime } from "../../domain/lifetime.ts";
import { mediaType } from "../../domain/media.ts";
import { childKey, parseName, ROOT_KEY } from "../../domain/names/name.ts";
import type { OnConflict } from "../../domain/names/on-conflict.ts";
import type {
  BlobId,
  FileRecord,
  Key,
  MetadataText,
  Name,
  NewFile,
  Sha256,
  Visibility,
} from "../../domain/records.ts";
import type { RequestToRemember } from "../../domain/uploads.ts";
import type { MaybePromise } from "../../lib/maybe-promise.ts";
import type { ChangeConditions } from "../../semantics/change-conditions.ts";
import type { BlobStorage, StoredBlob } from "./blob-storage.ts";
import type { ContentSums } from "./content-hash.ts";

/**
 * Files that are stored one after another and become visible together. The caller must commit or
 * abort the session. When anything fails, no file becomes visible and no blob is left behind.
 */
export interface UploadSession<Stored = FileRecord> {
  /**
   * Call this if the destination is known before the last file, to reject a taken name before the
   * file's bytes are read, if there may be many. `commit` checks again. Faults: same as `commit`.
   */
  expectTarget(target: UploadTarget): Promise<void>;
  /**
   * Stores one file and returns its digest; add the next one once this has resolved. Rejects with the
   * error that `body` throws. Faults: "invalid": the name is invalid; "conflict": the name is taken, or used twice;
   * "too_large": too many files, or too many bytes; "no_space".
   */
  add(
    filename: string,
    contentType: string | undefined,
    body: AsyncIterable<Uint8Array>,
  ): Promise<Sha256>;
  /**
   * Resolves when the files survive a power cut and are visible. Always ends the session. Faults:
   * "conflict", "invalid": the folder cannot have files with these names; "unavailable".
   */
  commit(target: CommitTarget): Promise<Stored[]>;
  /** Discards every file. Does nothing once the session has ended. Never throws. */
  abort(): Promise<void>;
}

export interface UploadTarget {
  readonly folder: Key;
  /** Default: "refuse". */
  readonly onConflict?: OnConflict | undefined;
  /** The name of the only file, which it may replace. */
  readonly replaces?: Name | undefined;
}

export interface CommitTarget extends Omit<UploadTarget, "folder" | "replaces"> {
  /** Default: the top folder of the caller. */
  readonly folder?: Key;
  /** Default: that of a replaced file, otherwise that of the folder or, if it inherits none, of the settings. */
  readonly visibility?: Visibility | undefined;
  /** As in `NewFiles`. */
  readonly lifetime?: Lifetime | undefined;
  /** Default: that of a replaced file, but for the content coding; otherwise none. */
  readonly metadata?: MetadataText | null | undefined;
  /** As in `NewFiles`. */
  readonly remember?: RequestToRemember | undefined;
  /** The conditions on the files that are replaced. */
  readonly conditions?: ChangeConditions | undefined;
}

/**
 * `expectedBytes` is the maximum total size of the files; 0: unknown. Fault "no_space": they do not
 * fit.
 */
export type BeginUpload<Stored = FileRecord> = (
  expectedBytes: number,
) => Promise<UploadSession<Stored>>;

/** The destination of an upload: the tree or a batch. */
export interface UploadDestination<Stored> {
  /** Who uploads. */
  readonly caller: Pick<Caller, "scope">;
  /** Default: the root. Fault "not_found": the caller has no folder to upload to. */
  readonly topFolder?: () => MaybePromise<Key>;
  /** The first of the names that is taken. Without this, only adding the files finds out. */
  readonly takenName?: (folder: Key, names: readonly Name[]) => Promise<Name | undefined>;
  readonly addFiles: (files: NewFiles) => Promise<Stored[]>;
}

export interface UploadDeps {
  readonly storage: BlobStorage;
  readonly settings: () => UploadSettings;
  /** Called when files were replaced, so that their old blobs can be removed. */
  readonly onReplaced: () => void;
}

export interface UploadSettings extends KeepSettings {
  readonly defaultVisibility: Visibility;
  /** In bytes. */
  readonly maxUploadSize: number;
  readonly maxFilesPerRequest: number;
}

const TOP_ATTEMPTS = 5;

/** Reading this much takes less than looking for taken names, which `commit` does again. */
const SMALL_UPLOAD_BYTES = 256 * 1024;

interface StoredFile {
  readonly record: NewFile & ContentSums;
  readonly blob: StoredBlob;
}

export function createBeginUpload(deps: UploadDeps) {
  const { storage } = deps;

  return async <Stored extends { readonly blobId: BlobId }>(
    { caller, topFolder = () => ROOT_KEY, takenName, addFiles: addTo }: UploadDestination<Stored>,
    expectedBytes: number,
  ): Promise<UploadSession<Stored>> => {
    const claim = await storage.space.admit(expectedBytes);
    const settings = deps.settings();
    const { maxUploadSize, maxFilesPerRequest } = settings;
    const stored: StoredFile[] = [];
    const isSmall = expectedBytes > 0 && expectedBytes <= SMALL_UPLOAD_BYTES;
    let expected: UploadTarget | undefined;

    async function rejectTaken(wanted: readonly Name[]): Promise<void> {
      if (expected === undefined || wanted.length === 0) return;
      const { folder, onConflict = "refuse" } = expected;
      for (const name of wanted) childKey(folder, name);
      if (onConflict !== "refuse" || isSmall || takenName === undefined) return;
      const taken = await takenName(folder, wanted);
      if (taken !== undefined) {
        throw new Fault("conflict", `"${taken}" already exists in this folder.`, {
          code: "name_taken",
          details: { name: taken },
        });
      }
    }

    async function store(
      name: Name,
      contentType: string | undefined,
      body: AsyncIterable<Uint8Array>,
    ): Promise<StoredFile> {
      const blob = await storage.store(body, {
        expected: expectedBytes,
        max: maxUploadSize,
        name,
        claim,
      });
      const mimeType = mediaType(name, contentType);
      const charset = declaredCharset(contentType);
      return { record: { name, mimeType, charset, blobId: blob.id, ...blob.sums }, blob };
    }

    const blobsIn = (files: readonly StoredFile[]): StoredBlob[] => files.map(({ blob }) => blob);

    function addFiles(
      files: readonly StoredFile[],
      { folder, ...target }: CommitTarget,
    ): Promise<Stored[]> {
      const addInto = (key: Key): Promise<Stored[]> =>
        addTo({
          folder: key,
          files: files.map(({ record }) => record),
          ...target,
          defaultVisibility: settings.defaultVisibility,
          owner: storage.blobIds.owner,
          ...keepReplaced(caller, settings),
        });
      return folder === undefined ? addToTop(topFolder, addInto) : addInto(folder);
    }

    return {
      async expectTarget(target) {
        expected = target;
        await rejectTaken(stored.map(({ record }) => record.name));
      },

      async add(filename, contentType, body) {
        if (stored.length === maxFilesPerRequest) {
          throw new Fault(
            "too_large",
            `Too many files: one request takes at most ${maxFilesPerRequest}.`,
            { code: "too_many", details: { limit: maxFilesPerRequest } },
          );
        }
        const name = parseName(filename);
        if (stored.some(({ record }) => record.name === name)) {
          throw new Fault("conflict", `The name "${name}" is given twice in this request.`, {
            code: "name_taken",
            details: { name },
          });
        }
        await rejectTaken([name]);
        const file = await store(name, contentType, body);
        stored.push(file);
        return file.record.sha256;
      },

      async commit(target) {
        const files = stored.splice(0);
        claim.release();
        const added = await storage.commitFiles(
          blobsIn(files),
          () => addFiles(files, target),
          (records) => records.map(({ blobId }) => blobId),
        );
        if (target.onConflict === "replace") deps.onReplaced();
        return added;
      },

      async abort() {
        await storage.discard(blobsIn(stored.splice(0)));
        claim.release();
      },
    };
  };
}

/** Tries again if the folder is renamed or moved before the files are in it. */
async function addToTop<T>(
  topFolder: () => MaybePromise<Key>,
  addTo: (key: Key) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const key = await topFolder();
    try {
      return await addTo(key);
    } catch (error) {
      const isMissing = error instanceof Fault && error.kind === "not_found";
      if (!isMissing || attempt === TOP_ATTEMPTS || (await topFolder()) === key) throw error;
    }
  }
}
