import { z } from "zod";
import { api, type Reachable, send } from "./client.ts";
import { expectData } from "./expectations.ts";
import type { HttpResponse } from "./http-response.ts";
import { field, filePart } from "./multipart.ts";
import { fileData } from "./shapes.ts";

const stamp = z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
const kind = z.enum(["file", "folder"]);
const count = z.int().min(0);

const itemShape = z.strictObject({
  id: z.string(),
  kind,
  name: z.string(),
  key: z.string(),
  size: count.nullable(),
  files: count.nullable(),
  visibility: z.enum(["public", "private"]).nullable(),
  mimeType: z.string().nullable(),
  undoId: z.string(),
  deletedAt: stamp,
  deletedBy: z.string().nullable(),
  expiresAt: stamp,
});
const pageShape = z.strictObject({
  items: z.array(itemShape),
  totals: z.strictObject({ items: count, files: count, bytes: count }),
  nextCursor: z.string().nullable(),
});
const restoredShape = z.strictObject({
  restored: z.array(
    z.strictObject({ id: z.string(), kind, key: z.string(), renamed: z.boolean() }),
  ),
  failed: z.array(z.strictObject({ id: z.string(), reason: z.string().min(1) })),
});
const removalShape = z.strictObject({
  deleted: z.array(z.string()),
  failed: z.array(z.strictObject({ id: z.string(), message: z.string() })).optional(),
  undoId: z.string().optional(),
});
const versionShape = z.strictObject({
  id: z.string(),
  size: count,
  mimeType: z.string(),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable(),
  modifiedAt: stamp,
  replacedAt: stamp,
  expiresAt: stamp,
  replacedBy: z.string().nullable(),
});
const versionsShape = z.strictObject({
  versions: z.array(versionShape),
  nextCursor: z.string().nullable(),
});
const idsShape = z.strictObject({ deleted: z.array(z.string()) });

type Version = z.infer<typeof versionShape>;

/** Requests about the trash and versions, with a key: the server's key by default. */
export function trashApi(server: Reachable, secret?: string) {
  const a = api(secret === undefined ? server : { url: server.url, apiKey: secret });
  const json = (method: string, path: string, body: unknown): Promise<HttpResponse> =>
    a.json(method, path, body);

  return {
    json,
    removeFiles: async (body: object) =>
      expectData(await json("DELETE", "/api/files", body), removalShape),
    removeFolder: async (body: object) =>
      expectData(await json("DELETE", "/api/folders", body), removalShape),
    /** Moves to the trash; returns the `undoId`. */
    async trash(body: object, path = "/api/files"): Promise<string> {
      const answer = await json("DELETE", path, { ...body, trash: true });
      const { undoId } = expectData(answer, removalShape);
      if (undoId === undefined) throw new Error("Nothing is in the trash.");
      return undoId;
    },
    list: async (query = "") => expectData(await a.get(`/api/trash${query}`), pageShape),
    restore: async (body: object) =>
      expectData(await json("POST", "/api/trash/restore", body), restoredShape),
    purge: async (body: object) =>
      expectData(await json("DELETE", "/api/trash", body), idsShape).deleted,

    /** Uploads new content under the name of a file. */
    replace: async (folder: string, name: string, content: string) =>
      a.upload([field("folder", folder), field("onConflict", "replace"), filePart(name, content)]),
    versionPage: async (query: string) =>
      expectData(await a.get(`/api/files/versions?${query}`), versionsShape),
    versions: async (id: string): Promise<Version[]> =>
      expectData(await a.get(`/api/files/versions?id=${id}`), versionsShape).versions,
    content: (id: string, query = "", headers: Record<string, string> = {}) =>
      a.get(`/api/files/versions/content?id=${id}${query}`, headers),
    restoreVersion: async (id: string) =>
      expectData(await json("POST", "/api/files/versions/restore", { id }), fileData).file,
    removeVersions: async (body: object) =>
      expectData(await json("DELETE", "/api/files/versions", body), idsShape).deleted,
  };
}

/** Without credentials. */
export const hosted = (server: Reachable, url: string): Promise<HttpResponse> =>
  send(server, "GET", `/${url}`);
