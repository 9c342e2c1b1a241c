import type { ErrorCode } from "../text/error-codes.ts";

export type Visibility = "public" | "private";

export interface FileObject {
  id: string;
  name: string;
  key: string;
  mimeType: string;
  size: number;
  folderId: string;
  visibility: Visibility;
  url: string;
  createdAt: string;
  updatedAt: string;
}

export interface FileDigest {
  id: string;
  key: string;
  size: number;
  /** Lower-case hexadecimal; null: not computed yet. */
  sha256: string | null;
}

/** Sent as response headers with the file; the pairs as `X-Meta-…`, pairs of S3 as they are. */
export interface FileMetadata {
  cacheControl?: string;
  contentDisposition?: string;
  contentLanguage?: string;
  contentEncoding?: string;
  expires?: string;
  [pair: `x-${string}`]: string;
}

export interface FileMetadataResult {
  id: string;
  key: string;
  metadata: FileMetadata;
}

/** Fields that are left out stay; null removes a field. */
export type MetadataChange = { [Field in keyof FileMetadata]?: FileMetadata[Field] | null };

export interface SignedUrl {
  url: string;
  expiresAt: string;
}

/** What could not be done, by the id or the key that the request gives. */
export interface NotDone {
  id?: string | undefined;
  /** Only with a key, as the code. */
  key?: string | undefined;
  code?: ErrorCode | undefined;
  message: string;
}

export interface DeleteResult {
  deleted: string[];
  failed: NotDone[];
  /** Restores all deleted files at once; only if they are in the trash. */
  undoId?: string | undefined;
}

/** The result of changing several files. Both lists are in the order of the request. */
export interface FilesChanged {
  files: FileObject[];
  failed: ChangeFailure[];
  /** Restores the files that were replaced; only if they are in the trash. */
  undoId?: string | undefined;
}

/** Why a file was not changed. */
export interface ChangeFailure extends NotDone {
  /** What has the name in the target folder, if that is why. */
  takenBy?: "file" | "folder" | undefined;
}

export type OrderBy = "createdAt" | "updatedAt" | "name" | "naturalName" | "size" | "type";

export type OrderDirection = "ASC" | "DESC";

export interface ListParameters {
  limit?: number;
  offset?: number;
  orderBy?: OrderBy;
  orderDirection?: OrderDirection;
}
