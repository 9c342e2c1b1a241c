import type { FileRecord, FolderRecord, Key, Millis, Visibility } from "./records.ts";

/** A file as clients see it. */
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

/** A folder as clients see it. */
export interface FolderObject {
  id: string;
  name: string;
  key: string;
  parentId: string | null;
  createdAt: string;
  updatedAt: string;
}

/** Exactly the fields of the contract: what else a record holds stays inside. */
export function fileObject(file: FileRecord): FileObject {
  return {
    id: file.id,
    name: file.name,
    key: file.key,
    mimeType: file.mimeType,
    size: file.size,
    folderId: file.folderId,
    visibility: file.visibility,
    url: hostingUrl(file.key),
    createdAt: timestamp(file.createdAt),
    updatedAt: timestamp(file.updatedAt),
  };
}

/** Exactly the fields of the contract. */
export function folderObject(folder: FolderRecord): FolderObject {
  return {
    id: folder.id,
    name: folder.name,
    key: folder.key,
    parentId: folder.parentId,
    createdAt: timestamp(folder.createdAt),
    updatedAt: timestamp(folder.updatedAt),
  };
}

/** The instant in UTC as `YYYY-MM-DD HH:MM:SS`, rounded down to seconds; for the years 0 to 9999. */
export function timestamp(instant: Millis): string {
  const iso = new Date(instant).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}`;
}

const NEEDS_NO_ENCODING = /^[\w.~/-]*$/;

/**
 * Where a file is hosted, relative to the base URL. Each segment is percent-encoded once, quotes
 * and parentheses too, so that the URL holds in a browser's address bar, an HTML attribute and a
 * Markdown link as it stands.
 */
export function hostingUrl(key: Key): string {
  return `api/hosting/${NEEDS_NO_ENCODING.test(key) ? key : encodePath(key)}`;
}

const encodePath = (key: Key): string =>
  encodeURIComponent(key)
    .replaceAll("%2F", "/")
    .replace(/['()]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
