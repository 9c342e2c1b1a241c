import { BaseClient } from "./base-client.ts";
import { type Changes, createChanges } from "./changes.ts";
import type { HoldallOptions } from "./connection/options.ts";
import { createTransport } from "./connection/transport.ts";
import { createFiles, type Files } from "./files/files.ts";
import { type Batches, createBatches } from "./uploads/batches.ts";
import { createUploads, type Uploads } from "./uploads/uploads.ts";

export type * from "../../contract/api.ts";
export type * from "../../contract/envelope.ts";
export type { KeyAction } from "../../contract/key-actions.ts";
export type { ImageSize } from "../../contract/settings.ts";
export type { BaseClient, OverviewOptions, UrlOptions } from "./base-client.ts";
export type { ChangePage, ChangeParameters, Changes, FollowOptions } from "./changes.ts";
export type {
  Body,
  CallArguments,
  CallInput,
  Data,
  DataOperation,
  OperationId,
  Query,
} from "./connection/call.ts";
// biome-ignore lint/performance/noBarrelFile: this is the package's main entry.
export { HoldallError } from "./connection/error.ts";
export type { CallOptions, Fetch, HoldallOptions } from "./connection/options.ts";
export type { Download, DownloadOptions, Range, ZipDownload } from "./files/download.ts";
export type {
  CopyFilesOptions,
  DeleteOptions,
  Deletion,
  FileCalls,
  ZipForm,
  ZipSelection,
} from "./files/file-calls.ts";
export type {
  Change,
  FileChange,
  FilesChange,
  MoveOptions,
  MoveTarget,
} from "./files/file-changes.ts";
export type { FilePage, ListOptions, ListParameters, PageOptions } from "./files/file-lists.ts";
export type { FileSelector, FolderSelector } from "./files/file-selector.ts";
export type { SignedLink, SignOptions } from "./files/file-signing.ts";
export type { Files, PutOptions, StoreOneOptions, UploadOneOptions } from "./files/files.ts";
export type {
  BrowseOptions,
  CopiedFolder,
  CopyFolderOptions,
  FolderChange,
  FolderContent,
  FolderPage,
  FolderPageOptions,
  FolderSize,
  FolderSizes,
  Folders,
  SubfolderOptions,
} from "./files/folders.ts";
export type { SearchOptions, SearchPage } from "./files/search.ts";
export type { Trash, TrashOptions, TrashPage, TrashSelection } from "./files/trash.ts";
export type { OnConflict, Progress, UploadOptions } from "./files/upload.ts";
export { file, type LocalSource, type Named, type Source } from "./files/upload-source.ts";
export type { VersionPage, Versions, VersionsOptions } from "./files/versions.ts";
export type { Account, SecondFactorProof, SignedInAccount } from "./instance/account.ts";
export type { Activity, ActivityPage, ActivityParameters } from "./instance/activity.ts";
export type {
  CreateKeyOptions,
  Keys,
  KeyTrafficPage,
  NewKey,
  RotateKeyOptions,
} from "./instance/keys.ts";
export type { LinkOptions, LinkPage, LinkParameters, Links, NewLink } from "./instance/links.ts";
export type { Passkeys } from "./instance/passkeys.ts";
export type { Settings } from "./instance/settings.ts";
export type {
  AddToBatchOptions,
  BatchContent,
  Batches,
  CreateBatchOptions,
} from "./uploads/batches.ts";
export { type DropOptions, type Dropped, dropTo } from "./uploads/drop-to.ts";
export type { ShownUpload } from "./uploads/fetch-upload.ts";
export type { FolderFile, FolderSource } from "./uploads/folder-items.ts";
export type { FolderProgress } from "./uploads/folder-progress.ts";
export type { ResumableOptions } from "./uploads/resumable-upload.ts";
export type { ResumeStore } from "./uploads/resume-store.ts";
export type { SendOptions } from "./uploads/send-upload.ts";
export type { UploadFileOptions } from "./uploads/upload-file.ts";
export type { UploadedFolder, UploadFolderOptions } from "./uploads/upload-folder.ts";
export { type SendContentOptions, uploadTo } from "./uploads/upload-to.ts";
export type { UploadedFile, UploadState } from "./uploads/upload-url.ts";
export type {
  BatchUploadOptions,
  CreateUploadOptions,
  UploadFeatures,
  Uploads,
} from "./uploads/uploads.ts";

/** A client of one Holdall server. */
export class Holdall extends BaseClient {
  declare readonly files: Files;
  declare readonly changes: Changes;
  declare readonly uploads: Uploads;
  declare readonly batches: Batches;

  /** Throws a `TypeError` if `url` is not a valid URL. Sends nothing. */
  constructor(options: HoldallOptions) {
    super(options);
    const transport = createTransport(options);
    this.files = createFiles(transport);
    this.changes = createChanges(transport);
    this.uploads = createUploads(transport);
    this.batches = createBatches(transport);
  }
}
