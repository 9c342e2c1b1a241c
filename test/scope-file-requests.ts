import { unique } from "./client.ts";
import type { FileShape } from "./shapes.ts";

export const MISSING_ID = "01900000-0000-7000-8000-000000000000";

export const inFolder = (file: FileShape): string => file.key.slice(0, file.key.lastIndexOf("/"));

/** A request about a file, or about its folder. */
export interface ScopedRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** By the action that each needs. */
export const requests = (file: { id: string; key: string; folderId: string; folder: string }) => {
  const { id, key, folderId, folder } = file;
  const path = key.split("/").map(encodeURIComponent).join("/");
  const get = (path: string): ScopedRequest => ({ method: "GET", path });
  const json = (method: string, path: string, body: unknown): ScopedRequest => ({
    method,
    path,
    body,
  });
  return {
    "list a file by id": ["list", get(`/api/files?id=${id}`)],
    "list a file by key": ["list", get(`/api/files?key=${encodeURIComponent(key)}`)],
    "digest of a file": ["list", get(`/api/files/digest?id=${id}`)],
    "browse a folder by id": ["list", get(`/api/folders?id=${folderId}`)],
    "browse a folder by key": ["list", get(`/api/folders?key=${encodeURIComponent(folder)}`)],
    "browse a folder with a peek": ["list", get(`/api/folders?id=${folderId}&peek=1`)],
    "measure a folder": ["list", get(`/api/folders/size?id=${folderId}`)],
    "search a folder": ["list", get(`/api/search?q=file&folderId=${folderId}`)],
    "download a file": ["read", get(`/api/files/download/${id}`)],
    "download a zip of a folder": ["read", get(`/api/folders/download?id=${folderId}`)],
    "download a zip of a file": ["read", json("POST", "/api/files/download", { ids: [id] })],
    "download a zip of a selected folder": [
      "read",
      json("POST", "/api/files/download", { folderIds: [folderId] }),
    ],
    "download a zip by URL": ["read", get(`/api/files/download?ids=${id}`)],
    "host a file": ["read", get(`/api/hosting/${path}`)],
    "sign a file by id": ["share", json("POST", "/api/files/sign", { id })],
    "sign a file by key": ["share", json("POST", "/api/files/sign", { key })],
    "rename a file": ["write", json("PUT", "/api/files", { id, name: unique("name") })],
    "show a file": ["write", json("PUT", "/api/files", { id, visibility: "private" })],
    "create a folder": [
      "write",
      json("POST", "/api/folders", { folder: `${folder}/${unique("folder")}` }),
    ],
    "show a folder": [
      "write",
      json("PUT", "/api/folders", { id: folderId, visibility: "private" }),
    ],
    "rename a folder": ["write", json("PUT", "/api/folders", { id: folderId, name: unique("n") })],
    "delete a file": ["delete", json("DELETE", "/api/files", { id })],
    "delete files": ["delete", json("DELETE", "/api/files", { ids: [id, MISSING_ID] })],
    "delete a folder": ["delete", json("DELETE", "/api/folders", { id: folderId })],
  } as const satisfies Record<string, readonly [string, ScopedRequest]>;
};

export type RequestName = keyof ReturnType<typeof requests>;
export const requestNames = Object.keys(
  requests({ id: "", key: "", folderId: "", folder: "" }),
) as readonly RequestName[];

export const ofFile = (file: FileShape) => requests({ ...file, folder: inFolder(file) });
