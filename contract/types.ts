/** What travels over the wire: plain types, so that a client needs nothing but this file. */

import type { Action } from "./activity.ts";

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

export interface FolderSize {
  files: number;
  folders: number;
  bytes: number;
}

export interface SearchPage {
  files: FileObject[];
  folders: FolderObject[];
  /** null on the last page. */
  nextCursor: string | null;
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

/** Something that was done or refused. */
export interface ActivityObject {
  id: string;
  at: string;
  /** The id of an operation of the API, such as `uploadFiles`, or of a command. */
  action: Action;
  outcome: "done" | "failed";
  /** Of the answer. */
  status: number;
  actor: {
    kind: "key" | "account" | "none" | "command";
    id: string | null;
    /** As it was at the time. */
    name: string | null;
  };
  /** null: on the machine itself, or of many. */
  address: string | null;
  subject: {
    kind: "file" | "folder" | "key" | "account" | "session";
    id: string | null;
    /** Of a file or folder, as it was before. */
    key: string | null;
    /** Of anything else. */
    name: string | null;
  } | null;
  /** What was asked for, how much it was, and the `message` of a failure. */
  detail: Record<string, string | number | boolean | null>;
}

export interface ActivityParameters {
  limit?: number;
  /** The `nextCursor` of the page before. */
  cursor?: string;
  action?: Action;
  /** The id of an API key or an account. */
  actor?: string;
  outcome?: "done" | "failed";
  /** UTC, `YYYY-MM-DD HH:MM:SS` or ISO 8601: at this moment or later. */
  since?: string;
  /** Before this moment. */
  until?: string;
}

export type MediaKind = "image" | "video" | "audio" | "document" | "text" | "archive" | "other";

export interface OverviewObject {
  /** In bytes; `free` is null where the store cannot tell. */
  storage: { used: number; free: number | null; files: number; folders: number };
  /** Every kind, those without files as well. */
  types: { type: MediaKind; files: number; bytes: number }[];
  largest: FileObject[];
  newest: FileObject[];
  /** Oldest first, to now: by the hour, and of a month by the day. */
  traffic: { at: string; requests: number; bytes: number; errors: number }[];
}

export type Period = "day" | "week" | "month";

/** A setting, and who decides it. */
export interface Setting<Value> {
  value: Value;
  default: Value;
  /** The environment decides it: it cannot be changed here. */
  pinned: boolean;
  /** What decides it there. */
  variable: string;
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
  activityRetentionDays: Setting<number>;
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
