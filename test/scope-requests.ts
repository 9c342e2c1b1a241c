import { createHash } from "node:crypto";
import type { KeyAction } from "../contract/key-actions.ts";
import { api, type Reachable, unique } from "./client.ts";
import { encodePng } from "./image-encoders.ts";
import { field, filePart, multipart } from "./multipart.ts";
import { type Call, json, NOWHERE, newVersionId, type OperationWith } from "./operation-calls.ts";

/** A folder with a file and a subfolder; or names and ids of nothing. */
export interface Target {
  readonly fileId: string;
  readonly fileKey: string;
  readonly fileUrl: string;
  readonly folderId: string;
  readonly folderKey: string;
  readonly subfolderId: string;
  readonly subfolderKey: string;
  /** The id of a file in the trash. */
  readonly trashedId: string;
  /** The id of that file's deletion. */
  readonly undoId: string;
  /** The id of a file's earlier content. */
  readonly versionId: string;
}

/**
 * A request about a target, with the place that its permission is about:
 *
 * - subject: the target exists;
 * - destination: something inside the scope goes to the target;
 * - results: about no target; the response must show what is inside and hide what is outside.
 */
export interface ScopedRequest {
  readonly place: "subject" | "destination" | "results" | "instance" | "any";
  readonly call: (target: Target, inside: Target) => Call;
  /** A key without the action is refused before the server looks at the target. */
  readonly refusesFirst?: true;
  /** Default: the actions that the operation declares. */
  readonly needed?: readonly KeyAction[];
  /** The response of "results" does not name files. */
  readonly isBare?: true;
}

const subject = (call: ScopedRequest["call"]): ScopedRequest => ({ place: "subject", call });
const destination = (call: ScopedRequest["call"]): ScopedRequest => ({
  place: "destination",
  call,
});
const results = (path: string): ScopedRequest => ({ place: "results", call: () => ({ path }) });

const encode = encodeURIComponent;

/** The operations on keys, links and webhooks have tests of their own. */
type KeyOperation =
  | "listKeys"
  | "keyTraffic"
  | "createKey"
  | "revealS3Credentials"
  | "renameKey"
  | "rotateKey"
  | "revokeKey";
type LinkOperation = "listLinks" | "changeLink" | "revokeLink";
type WebhookOperation =
  | "listWebhooks"
  | "changeWebhook"
  | "deleteWebhook"
  | "testWebhook"
  | "replayWebhook"
  | "rotateWebhook"
  | "listDeliveries";
type GrantOperation = "changeGrant" | "removeGrant";
type ScopedOperation = Exclude<
  OperationWith<"caller" | "reader">,
  KeyOperation | LinkOperation | WebhookOperation | GrantOperation
>;

/** Uploads a file with a new name; the folder may come before or after it. */
function upload(folder: string, order: "first" | "last"): Call {
  const parts = [field("folder", folder), filePart(`${unique("up")}.txt`, "x")];
  const { contentType, bytes } = multipart(order === "first" ? parts : parts.toReversed());
  return { path: "/api/files", body: bytes, contentType };
}

/** Requests of every operation whose permission is about files and folders, or the instance. */
export const scopedRequests: Readonly<Record<ScopedOperation, readonly ScopedRequest[]>> = {
  listFiles: [
    subject(({ fileId }) => ({ path: `/api/files?id=${fileId}` })),
    subject(({ fileKey }) => ({ path: `/api/files?key=${encode(fileKey)}` })),
    results("/api/files"),
    results("/api/files?name=note.txt"),
    results(`/api/files?sha256=${createHash("sha256").update("new").digest("hex")}`),
    results("/api/files?limit=3&orderBy=name&orderDirection=ASC"),
    results("/api/files?limit=3&cursor="),
  ],
  fileDigest: [
    subject(({ fileId }) => ({ path: `/api/files/digest?id=${fileId}` })),
    subject(({ fileKey }) => ({ path: `/api/files/digest?key=${encode(fileKey)}` })),
  ],
  fileLifetime: [
    subject(({ fileId }) => ({ path: `/api/files/lifetime?id=${fileId}` })),
    subject(({ fileKey }) => ({ path: `/api/files/lifetime?key=${encode(fileKey)}` })),
  ],
  fileMetadata: [
    subject(({ fileId }) => ({ path: `/api/files/metadata?id=${fileId}` })),
    subject(({ fileKey }) => ({ path: `/api/files/metadata?key=${encode(fileKey)}` })),
  ],
  uploadFiles: [
    { ...destination(({ folderKey }) => upload(folderKey, "first")), refusesFirst: true },
    { ...destination(({ folderKey }) => upload(folderKey, "last")), refusesFirst: true },
    {
      ...destination(({ folderKey }) => upload(`${folderKey}/${unique("new")}`, "first")),
      refusesFirst: true,
    },
  ],
  putContent: [
    {
      ...destination(({ folderKey }) => ({
        path: `/api/files/content?key=${encode(`${folderKey}/${unique("up")}.txt`)}`,
        body: "x",
      })),
      refusesFirst: true,
    },
    {
      ...destination(({ folderKey }) => ({
        path: `/api/files/content?key=${encode(`${folderKey}/${unique("new")}/a.txt`)}`,
        body: "x",
      })),
      refusesFirst: true,
    },
  ],
  readContent: [
    subject(({ fileId }) => ({ path: `/api/files/content?id=${fileId}` })),
    subject(({ fileKey }) => ({ path: `/api/files/content?key=${encode(fileKey)}` })),
  ],
  createUpload: [
    destination(({ folderKey }) => json("/api/uploads", { folder: folderKey })),
    destination(({ folderKey }) =>
      json("/api/uploads", { folder: `${folderKey}/${unique("new")}`, name: "file.txt", size: 1 }),
    ),
  ],
  createBatch: [destination(({ folderKey }) => json("/api/batches", { folder: folderKey }))],
  changeFile: [
    subject(({ fileId }) => json("/api/files", { id: fileId, visibility: "private" })),
    subject(({ fileId }) => json("/api/files", { ids: [fileId], visibility: "private" })),
    subject(({ fileId }) => json("/api/files", { id: fileId, name: `${unique("file")}.txt` })),
    subject(({ fileId }, { folderId }) =>
      json("/api/files", { id: fileId, folderId, name: `${unique("file")}.txt` }),
    ),
    {
      ...destination(({ subfolderId }, { fileId }) =>
        json("/api/files", { id: fileId, folderId: subfolderId, name: `${unique("file")}.txt` }),
      ),
      refusesFirst: true,
    },
  ],
  copyFiles: [
    subject(({ fileId }) =>
      json("/api/files/copy", { id: fileId, onConflict: "keepBoth", name: "copy.txt" }),
    ),
    subject(({ fileId }, { folderId }) =>
      json("/api/files/copy", { ids: [fileId], folderId, onConflict: "keepBoth" }),
    ),
    subject(({ fileId }, inside) =>
      json("/api/files/copy", { ids: [inside.fileId, fileId], onConflict: "keepBoth" }),
    ),
    {
      ...destination(({ subfolderId }, { fileId }) =>
        json("/api/files/copy", {
          ids: [fileId],
          folderId: subfolderId,
          onConflict: "keepBoth",
        }),
      ),
      refusesFirst: true,
    },
  ],
  deleteFiles: [
    subject(({ fileId }) => json("/api/files", { id: fileId })),
    subject(({ fileId }) => json("/api/files", { ids: [fileId] })),
    subject(({ fileId }) => json("/api/files", { id: fileId, trash: true })),
  ],
  listTrash: [results("/api/trash"), results("/api/trash?limit=1000&cursor=")],
  restoreTrash: [
    {
      ...subject(({ trashedId }) => json("/api/trash/restore", { ids: [trashedId] })),
      refusesFirst: true,
    },
    { ...subject(({ undoId }) => json("/api/trash/restore", { undoId })), refusesFirst: true },
  ],
  undoChanges: [
    {
      place: "results",
      call: () =>
        json("/api/undo", { by: "others", since: new Date(Date.now() - 1000).toISOString() }),
      needed: ["write", "discard", "admin"],
      isBare: true,
    },
  ],
  emptyTrash: [
    { ...subject(({ trashedId }) => json("/api/trash", { ids: [trashedId] })), refusesFirst: true },
    { ...subject(({ undoId }) => json("/api/trash", { undoId })), refusesFirst: true },
  ],
  listVersions: [
    subject(({ fileId }) => ({ path: `/api/files/versions?id=${fileId}` })),
    subject(({ fileKey }) => ({ path: `/api/files/versions?key=${encode(fileKey)}` })),
  ],
  downloadVersion: [
    subject(({ versionId }) => ({ path: `/api/files/versions/content?id=${versionId}` })),
  ],
  restoreVersion: [
    subject(({ versionId }) => json("/api/files/versions/restore", { id: versionId })),
  ],
  deleteVersions: [
    subject(({ versionId }) => json("/api/files/versions", { id: versionId })),
    subject(({ versionId }) => json("/api/files/versions", { ids: [versionId] })),
  ],
  signFile: [
    subject(({ fileId }) => json("/api/files/sign", { id: fileId })),
    subject(({ fileKey }) => json("/api/files/sign", { key: fileKey })),
  ],
  signFolder: [
    subject(({ subfolderId }) => json("/api/folders/sign", { id: subfolderId })),
    subject(({ folderId }) => json("/api/folders/sign", { id: folderId })),
  ],
  fetchFiles: [
    destination(({ folderKey }) =>
      json("/api/files/fetch", { url: NOWHERE, folder: folderKey, name: unique("f") }),
    ),
    destination(({ folderKey }) =>
      json("/api/files/fetch", { files: [{ key: `${folderKey}/${unique("f")}`, url: NOWHERE }] }),
    ),
  ],
  createWebhook: [
    subject(({ folderId }) =>
      json("/api/webhooks", { name: unique("hook"), url: NOWHERE, folderId }),
    ),
    subject(({ folderKey }) =>
      json("/api/webhooks", { name: unique("hook"), url: NOWHERE, folder: folderKey }),
    ),
  ],
  createLink: [
    subject(({ fileId }) => json("/api/links", { fileId })),
    subject(({ fileId }) => json("/api/links", { fileId, kind: "read", uses: 1 })),
    {
      ...subject(({ subfolderId }) => json("/api/links", { folderId: subfolderId })),
      needed: ["share", "read", "list"],
    },
    {
      ...subject(({ folderId }) => json("/api/links", { folderId, kind: "drop" })),
      needed: ["share", "write"],
    },
  ],
  downloadFile: [subject(({ fileId }) => ({ path: `/api/files/download/${fileId}` }))],
  downloadFiles: [
    subject(({ fileId }) => json("/api/files/download", { ids: [fileId] })),
    subject(({ subfolderId }) => json("/api/files/download", { folderIds: [subfolderId] })),
    subject(({ fileId }, inside) =>
      json("/api/files/download", { ids: [fileId], folderIds: [inside.folderId] }),
    ),
  ],
  downloadSelection: [
    subject(({ fileId }) => ({ path: `/api/files/download?ids=${fileId}` })),
    subject(({ subfolderId }) => ({ path: `/api/files/download?folderIds=${subfolderId}` })),
    subject(({ fileId }, inside) => ({
      path: `/api/files/download?ids=${fileId}&folderIds=${inside.folderId}`,
    })),
  ],
  hostFile: [subject(({ fileUrl }) => ({ path: `/${fileUrl}` }))],
  browseFolder: [
    subject(({ subfolderId }) => ({ path: `/api/folders?id=${subfolderId}` })),
    subject(({ folderKey }) => ({ path: `/api/folders?key=${encode(folderKey)}` })),
    subject(({ folderId }) => ({ path: `/api/folders?id=${folderId}&peek=1` })),
  ],
  downloadFolder: [
    subject(({ folderId }) => ({ path: `/api/folders/download?id=${folderId}` })),
    subject(({ folderKey }) => ({ path: `/api/folders/download?key=${encode(folderKey)}` })),
  ],
  readQuotas: [
    { ...results("/api/folders/quota"), isBare: true },
    subject(({ folderId }) => ({ path: `/api/folders/quota?id=${folderId}` })),
    subject(({ folderKey }) => ({ path: `/api/folders/quota?key=${encode(folderKey)}` })),
  ],
  listGrants: [{ place: "instance", call: () => ({ path: "/api/grants" }) }],
  createGrant: [
    {
      place: "instance",
      call: ({ folderId }) =>
        json("/api/grants", { group: unique("group"), folderId, actions: ["list"] }),
    },
  ],
  setQuota: [
    {
      place: "instance",
      call: ({ folderKey }) =>
        json("/api/folders/quota", { key: folderKey.split("/")[0], maxBytes: 1e9 }),
    },
  ],
  measureFolder: [
    subject(({ folderId }) => ({ path: `/api/folders/size?id=${folderId}` })),
    subject(({ folderKey }) => ({ path: `/api/folders/size?key=${encode(folderKey)}` })),
    subject(({ folderId }) => ({ path: `/api/folders/size?ids=${folderId}` })),
  ],
  readFolderVisibility: [
    subject(({ folderId }) => ({ path: `/api/folders/visibility?id=${folderId}` })),
    subject(({ folderKey }) => ({ path: `/api/folders/visibility?key=${encode(folderKey)}` })),
  ],
  countVisibility: [
    subject(({ folderId }) => ({ path: `/api/folders/visibility/count?id=${folderId}` })),
    subject(({ folderKey }) => ({
      path: `/api/folders/visibility/count?key=${encode(folderKey)}`,
    })),
  ],
  createFolder: [
    destination(({ folderKey }) => json("/api/folders", { folder: `${folderKey}/${unique("f")}` })),
  ],
  changeFolder: [
    subject(({ subfolderId }) => json("/api/folders", { id: subfolderId, visibility: "private" })),
    subject(({ subfolderId }) => json("/api/folders", { id: subfolderId, name: unique("folder") })),
    subject(({ subfolderId }) =>
      json("/api/folders", { id: subfolderId, defaultVisibility: "private" }),
    ),
    {
      ...destination(({ folderId }, { subfolderId }) =>
        json("/api/folders", { id: subfolderId, parentId: folderId, name: unique("folder") }),
      ),
      refusesFirst: true,
    },
  ],
  copyFolder: [
    subject(({ subfolderId }) =>
      json("/api/folders/copy", { id: subfolderId, onConflict: "keepBoth" }),
    ),
    {
      ...destination(({ folderId }, { subfolderId }) =>
        json("/api/folders/copy", { id: subfolderId, parentId: folderId, name: unique("folder") }),
      ),
      refusesFirst: true,
    },
  ],
  deleteFolder: [
    subject(({ subfolderId }) => json("/api/folders", { id: subfolderId })),
    subject(({ subfolderId }) => json("/api/folders", { id: subfolderId, trash: true })),
  ],
  search: [
    results("/api/search?q=note"),
    subject(({ folderId }) => ({ path: `/api/search?q=note&folderId=${folderId}` })),
  ],
  listChanges: [
    { ...results("/api/changes"), isBare: true },
    subject(({ folderId }) => ({ path: `/api/changes?folder=${folderId}` })),
    subject(({ folderKey }) => ({ path: `/api/changes?folder=${encode(folderKey)}` })),
  ],
  overview: [results("/api/overview"), results("/api/overview?period=month")],
  listActivity: [results("/api/activity?limit=200"), results("/api/activity?action=uploadFiles")],
  openapi: [{ place: "any", call: () => ({ path: "/api/openapi.json" }) }],
  readSettings: [{ place: "instance", call: () => ({ path: "/api/settings" }) }],
  clearActivity: [
    { place: "instance", call: () => json("/api/activity", { before: "2020-01-01" }) },
  ],
  healthDetails: [{ place: "instance", call: () => ({ path: "/api/health/details" }) }],
  startScrub: [{ place: "instance", call: () => ({ path: "/api/health/scrub" }) }],
  readLogo: [{ place: "instance", call: () => ({ path: "/api/settings/logo" }) }],
  putLogo: [
    {
      place: "instance",
      call: () => ({ path: "/api/settings/logo", body: LOGO, contentType: "image/png" }),
    },
  ],
  removeLogo: [{ place: "instance", call: () => ({ path: "/api/settings/logo" }) }],
  changeSettings: [
    { place: "instance", call: () => json("/api/settings", { maxDeleteBatch: 500 }) },
  ],
};

const LOGO = encodePng(1, 1, () => [0, 0, 0, 255]);

/** As long as an id, because it may be part of a response. */
const NO_ID = "00000000-0000-7000-8000-000000000000";

/** Nothing has these names and ids. */
export const missingTarget = (folderKey: string): Target => ({
  fileId: NO_ID,
  fileKey: `${folderKey}/note.txt`,
  fileUrl: `api/hosting/${folderKey}/note.txt`,
  folderId: NO_ID,
  folderKey,
  subfolderId: NO_ID,
  subfolderKey: `${folderKey}/sub`,
  trashedId: NO_ID,
  undoId: NO_ID,
  versionId: NO_ID,
});

/**
 * A private file, a subfolder with a file, one in the trash and one with a version, in the folder with
 * this key. The server must keep versions.
 */
export async function createTarget(server: Reachable, folderKey: string): Promise<Target> {
  const a = api(server);
  const subfolderKey = `${folderKey}/${unique("sub")}`;
  const file = await a.put(`${folderKey}/${unique("f")}/note.txt`, folderKey, {
    visibility: "private",
  });
  const { folderId: subfolderId } = await a.put(`${subfolderKey}/note.txt`, folderKey, {
    visibility: "private",
  });
  const trashed = await a.put(`${folderKey}/${unique("gone")}/note.txt`, folderKey);
  const deletion = await a.json("DELETE", "/api/files", { id: trashed.id, trash: true });
  const { folder } = await a.browse(folderKey);
  return {
    trashedId: trashed.id,
    undoId: JSON.parse(deletion.text).data.undoId,
    versionId: await newVersionId(server, folderKey),
    fileId: file.id,
    fileKey: file.key,
    fileUrl: file.url,
    folderId: folder.id,
    folderKey,
    subfolderId,
    subfolderKey,
  };
}
