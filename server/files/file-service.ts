import type { BlobLedger } from "../catalog/port/blob-ledger.ts";
import type { CatalogClock } from "../catalog/port/catalog-clock.ts";
import type { FileTree } from "../catalog/port/file-tree.ts";
import type { QuotaLedger } from "../catalog/port/quotas.ts";
import type { UndoChanges } from "../catalog/port/undo.ts";
import type { UploadLedger } from "../catalog/port/uploads.ts";
import type { Authorized } from "../domain/callers/authorize.ts";
import type { FileRecord, Key, Page, Sha256 } from "../domain/records.ts";
import type { Signer } from "../domain/tokens/signature.ts";
import type { MaybePromise } from "../lib/maybe-promise.ts";
import { type ChangeService, createChangeService } from "./change-service.ts";
import { type CopyDeps, type CopyService, createCopyService } from "./copy/copy-service.ts";
import { listFiles, type Selector } from "./find.ts";
import { createFolderService, type FolderService } from "./folder-service.ts";
import { createLookups, type Lookups } from "./lookups.ts";
import type { QuotaGuard } from "./quotas/quota-guard.ts";
import type { Reaper } from "./reaper.ts";
import { type SearchRequest, type SearchResult, searchNames } from "./search.ts";
import { createSigning, type LinkSettings, type Signing } from "./sign.ts";
import type { TrashPort } from "./trash/trash-port.ts";
import { createTrashService, type TrashService } from "./trash/trash-service.ts";
import { createUndoService, type UndoService } from "./trash/undo-service.ts";
import { createVersionService, type VersionService } from "./trash/version-service.ts";
import type { UploadDeps } from "./upload/begin-upload.ts";
import { type BeginUploadToTree, createUploadToTree } from "./upload/upload-to-tree.ts";
import { type ArchiveDeps, type Archives, createArchives } from "./zip/archive.ts";

/**
 * The operations on files and folders; their files document their contracts. What a caller does not see is missing, so
 * who authorizes a caller looks up first what the request names.
 */
export interface FileService extends ChangeService, FolderService {
  readonly look: Lookups;
  /** The file, for responses that describe it. */
  find(caller: Authorized<"list">, selector: Selector): Promise<FileRecord>;
  /**
   * The file, for responses with its content. The same as `find`, but a row of the contract that names "list" instead of
   * "read" for such an operation does not compile.
   */
  findToRead(caller: Authorized<"read">, selector: Selector): Promise<FileRecord>;
  list(
    caller: Authorized<"list">,
    name: string | undefined,
    page: Page,
  ): AsyncIterable<FileRecord[]>;
  /** The files with this content, of those whose digest is known. */
  listByDigest(caller: Authorized<"list">, sha256: Sha256, page: Page): AsyncIterable<FileRecord[]>;
  readonly beginUpload: BeginUploadToTree;
  /** By the id with which an upload was remembered. The file is not limited to what the caller sees. */
  rememberedRequest: UploadLedger["rememberedRequest"];
  readonly copy: CopyService;
  /** The file to deliver, by a token of a signed folder. undefined: the file does not exist. */
  below(folderId: string, key: Key): MaybePromise<FileRecord | undefined>;
  readonly sign: Signing;
  readonly archive: Archives;
  search(caller: Authorized<"list">, request: SearchRequest): Promise<SearchResult>;
  readonly trash: TrashService;
  readonly versions: VersionService;
  readonly undo: UndoService;
}

export interface FileServiceDeps
  extends ArchiveDeps,
    Omit<UploadDeps, "settings">,
    Pick<CopyDeps, "inSlot"> {
  readonly catalog: FileTree &
    TrashPort &
    Pick<UndoChanges, "undoChanges"> &
    BlobLedger &
    QuotaLedger &
    Pick<UploadLedger, "rememberedRequest"> &
    Pick<CatalogClock, "now">;
  readonly quotaGuard: QuotaGuard;
  readonly reaper: Reaper;
  readonly signer: Signer;
  readonly settings: () => LinkSettings & ReturnType<UploadDeps["settings"]>;
}

export function createFileService(deps: FileServiceDeps): FileService {
  const { catalog, reaper, signer, settings } = deps;
  const look = createLookups(catalog);

  return {
    ...createChangeService(deps),
    ...createFolderService(deps),
    look,
    find: look.file,
    findToRead: look.file,
    below: catalog.fileBelow,
    list: (caller, name, page) => listFiles(caller, catalog, name, page),
    listByDigest: (caller, sha256, page) => catalog.listFiles(caller, { sha256 }, page),
    rememberedRequest: catalog.rememberedRequest,
    beginUpload: createUploadToTree(deps),
    copy: createCopyService(deps, catalog),
    sign: createSigning({ names: catalog, now: catalog.now, signer, settings }),
    archive: createArchives(deps),
    search: (caller, request) => searchNames(caller, catalog, request),
    trash: createTrashService(catalog, reaper),
    undo: createUndoService(deps),
    versions: createVersionService({
      tree: catalog,
      trash: catalog,
      reaper,
      settings,
    }),
  };
}
