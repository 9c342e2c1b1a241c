/** What travels over the wire: plain types, so that a client needs nothing but this file. */

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

export interface FolderObject {
  id: string;
  name: string;
  key: string;
  parentId: string | null;
  createdAt: string;
  updatedAt: string;
}

export interface SignedUrl {
  url: string;
  expiresAt: string;
}

export interface DeleteResult {
  deleted: string[];
  failed: { id: string; message: string }[];
}

export interface ApiKeyObject {
  id: string;
  name: string;
  prefix: string;
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
}

export interface AccountObject {
  id: string;
  email: string;
  createdAt: string;
}

export interface SessionObject {
  id: string;
  /** True for the session that asks. */
  current: boolean;
  userAgent: string;
  address: string;
  createdAt: string;
  lastSeenAt: string;
  expiresAt: string;
}

export type OrderBy = "createdAt" | "updatedAt" | "name" | "size" | "type";
export type OrderDirection = "ASC" | "DESC";

/** A setting, and who decides it. */
export interface Setting<Value> {
  value: Value;
  default: Value;
  /** The environment decides it: it cannot be changed here. */
  pinned: boolean;
  unit: "bytes" | "seconds" | "days" | "files" | "ids" | null;
}

export interface SettingsObject {
  defaultVisibility: Setting<Visibility>;
  maxUploadSize: Setting<number>;
  maxFilesPerRequest: Setting<number>;
  maxDeleteBatch: Setting<number>;
  minFreeSpace: Setting<number>;
  maxPresignSeconds: Setting<number>;
  defaultPresignSeconds: Setting<number>;
  hostingCacheSeconds: Setting<number>;
}

/** null: back to the default. */
export type SettingsChange = {
  [Name in keyof SettingsObject]?: SettingsObject[Name]["value"] | null;
};

export interface ListParameters {
  limit?: number;
  offset?: number;
  orderBy?: OrderBy;
  orderDirection?: OrderDirection;
}

export type Envelope<Data> =
  | { data: Data; error: null }
  | { data: null; error: { message: string } };
