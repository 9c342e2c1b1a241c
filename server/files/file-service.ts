import type { BlobLedger } from "../catalog/port/blob-ledger.ts";
import type { CatalogClock } from "../catalog/port/catalog-clock.ts";
import type { FileTree } from "../catalog/port/file-tree.ts";
import type { QuotaLedger } from "../catalog/port/quotas.ts";
import type { UndoChanges } from "../catalog/port/undo.ts";
import type { UploadLedger } from "../catalog/port/uploads.ts";
import { authorize } from "../domain/callers/authorize.ts";
import type { Caller, SeenBy } from "../domain/callers/caller.ts";
import { type Ref, selectorOf } from "../domain/callers/ref.ts";
import { allows } from "../domain/callers/scope.ts";
import type { FileRecord, Key, KeyAction, Page, Sha256 } from "../domain/records.ts";
import type { Signer } from "../domain/tokens/signature.ts";
import { chain, type MaybePromise } from "../lib/maybe-promise.ts";
import { type ChangeService, createChangeService } from "./change-service.ts";
import { type CopyDeps, type CopyService, createCopyService } from "./copy/copy-service.ts";
import { findFile, listFiles, type Selector } from "./find.ts";
import { authorizeFolder, createFolderService, type FolderService } from "./folder-service.ts";
import type { QuotaGuard } from "./quotas/quota-guard.ts";
import type { Reaper } from "./reaper.ts";
import { type SearchRequest, type SearchResult, searchNames } from "./search.ts";
import {
  createSigning,
  type LinkSettings,
  type ManySigned,
  type SignedLifetime,
  type SignedLink,
  type SignRequest,
} from "./sign.ts";
import type { TrashPort } from "./trash/trash-port.ts";
import { createTrashService, type TrashService } from "./trash/trash-service.ts";
import { createUndoService, type UndoService } from "./trash/undo-service.ts";
import { createVersionService, type VersionService } from "./trash/version-service.ts";
import type { UploadDeps } from "./upload/begin-upload.ts";
import { type BeginUploadToTree, createUploadToTree } from "./upload/upload-to-tree.ts";
import { type ArchiveDeps, type Archives, createArchives } from "./zip/archive.ts";

/**
 * The operations on files and folders; their files document their contracts. What a caller does not see
 * is missing, and on what it sees an operation without its action has the fault "forbidden".
 */
export interface FileService extends ChangeService, FolderService {
  /** `action`: what the file is found for. Default: "list". */
  find(caller: Caller, selector: Selector, action?: KeyAction): Promise<FileRecord>;
  /** The file to deliver. undefined: there is no such file. */
  at(caller: Caller, key: Key): MaybePromise<FileRecord | undefined>;
  list(caller: Caller, name: string | undefined, page: Page): AsyncIterable<FileRecord[]>;
  /** The files with this content, of those whose digest is known. */
  listByDigest(caller: Caller, sha256: Sha256, page: Page): AsyncIterable<FileRecord[]>;
  readonly beginUpload: BeginUploadToTree;
  /** By the id with which an upload was remembered. The file is not limited to what the caller sees. */
  rememberedRequest: UploadLedger["rememberedRequest"];
  readonly copy: CopyService;
  /** The file to deliver, by a token of a signed folder. undefined: there is no such file. */
  below(folderId: string, key: Key): MaybePromise<FileRecord | undefined>;
  sign(caller: Caller, request: SignRequest): Promise<SignedLink>;
  signMany(caller: Caller, files: readonly Ref[], lifetime: SignedLifetime): Promise<ManySigned>;
  /** The URL is a prefix that ends with a slash. */
  signFolder(caller: Caller, folder: Ref, lifetime: SignedLifetime): Promise<SignedLink>;
  readonly archive: Archives;
  search(caller: Caller, request: SearchRequest): Promise<SearchResult>;
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
  const copy = createCopyService(deps, catalog);
  const signing = createSigning({ names: catalog, now: catalog.now, signer, settings });
  const archive = createArchives(deps);

  return {
    ...createChangeService(deps),
    ...createFolderService(deps),
    async find(caller, selector, action = "list") {
      const file = await findFile(caller, catalog, selector);
      authorize(caller, action);
      return file;
    },
    at(caller, key) {
      const found = catalog.fileByKey(caller, key);
      // Public files come this way, so nothing more is made for them.
      if (allows(caller.scope, "read")) return found;
      return chain(found, (file) => {
        if (file !== undefined) authorize(caller, "read");
        return file;
      });
    },
    below: catalog.fileBelow,
    list(caller, name, page) {
      authorize(caller, "list");
      return listFiles(caller, catalog, name, page);
    },
    listByDigest(caller, sha256, page) {
      authorize(caller, "list");
      return catalog.listFiles(caller, { sha256 }, page);
    },
    rememberedRequest: catalog.rememberedRequest,
    beginUpload: createUploadToTree(deps),
    copy: {
      async files(caller, request, control) {
        await authorize(caller, ["read", "write"], () => findAll(caller, catalog, request.ids));
        return copy.files(caller, request, control);
      },
      async folder(caller, request, control) {
        await authorizeFolder(caller, catalog, ["list", "read", "write"], selectorOf(request.id));
        return copy.folder(caller, request, control);
      },
    },
    async sign(caller, request) {
      const link = await signing.file(caller, request);
      // A key that may not read a file must not get a URL that reads it.
      authorize(caller, ["share", "read"]);
      return link;
    },
    async signMany(caller, refs, lifetime) {
      const links = await signing.files(caller, refs, lifetime);
      // Without any, the caller sees none of them.
      if (links.signed.length > 0) authorize(caller, ["share", "read"]);
      return links;
    },
    async signFolder(caller, ref, lifetime) {
      const link = await signing.folder(caller, ref, lifetime);
      authorize(caller, ["share", "read"]);
      return link;
    },
    archive: {
      async folder(caller, selector, signal, name) {
        await authorizeFolder(caller, catalog, ["list", "read"], selector);
        return archive.folder(caller, selector, signal, name);
      },
      async selection(caller, selection, signal) {
        // Only permitted archives are planned: a plan takes memory that all archives share.
        await authorize(caller, ["list", "read"], () => archive.checkSelection(caller, selection));
        return archive.selection(caller, selection, signal);
      },
      checkSelection: archive.checkSelection,
    },
    async search(caller, request) {
      const { folderId } = request;
      if (folderId === undefined) authorize(caller, "list");
      else await authorizeFolder(caller, catalog, "list", { id: folderId });
      return searchNames(caller, catalog, request);
    },
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

/** Fault "not_found": one of the files does not exist. */
async function findAll(caller: SeenBy, tree: FileTree, refs: readonly Ref[]): Promise<void> {
  for (const ref of refs) await findFile(caller, tree, selectorOf(ref));
}
