import type { Operations } from "../contract/operations.ts";
import { api, type Reachable, unique } from "./client.ts";
import { encodePng } from "./image-encoders.ts";
import { field, filePart, multipart } from "./multipart.ts";

/** The operations that this kind of caller may use. */
export type OperationWith<Access extends string> = {
  [Id in keyof Operations]: Operations[Id]["access"] extends Access ? Id : never;
}[keyof Operations];

/** What a request adds to the method of its operation. */
export interface Call {
  readonly path: string;
  readonly body?: string | Uint8Array;
  readonly contentType?: string;
}

/** A URL that no server connects to. */
export const NOWHERE = "http://127.0.0.1:9/";

/** The id of a version of a new file. The server must keep versions. */
export async function newVersionId(server: Reachable, folder = unique("call")): Promise<string> {
  const a = api(server);
  const name = `${unique("v")}.txt`;
  const { id } = await a.put(`${folder}/${name}`, folder, { visibility: "private" });
  await a.upload([field("folder", folder), field("onConflict", "replace"), filePart(name, "new")]);
  const { text } = await a.get(`/api/files/versions?id=${id}`);
  return JSON.parse(text).data.versions[0].id;
}

export const json = (path: string, body: unknown): Call => ({
  path,
  body: JSON.stringify(body),
  contentType: "application/json",
});

/** A valid request for every operation that API keys may use, on files and keys of its own. */
export function operationCalls(
  server: Reachable,
): Readonly<Record<OperationWith<"caller" | "reader">, () => Promise<Call>>> {
  const a = api(server);
  const newFile = () => a.put(`${unique("call")}/file.txt`, "x", { visibility: "private" });
  async function newTrashedId(): Promise<string> {
    const { id } = await newFile();
    await a.json("DELETE", "/api/files", { id, trash: true });
    return id;
  }
  const newKeyId = async (): Promise<string> => {
    const { text } = await a.json("POST", "/api/keys", { name: unique("key") });
    return JSON.parse(text).data.key.id;
  };
  const newLinkId = async (): Promise<string> => {
    const { text } = await a.json("POST", "/api/links", { fileId: (await newFile()).id });
    return JSON.parse(text).data.link.id;
  };
  const newWebhookId = async (): Promise<string> => {
    const hook = { name: unique("hook"), url: NOWHERE };
    const { text } = await a.json("POST", "/api/webhooks", hook);
    return JSON.parse(text).data.webhook.id;
  };
  const newGrantId = async (): Promise<string> => {
    const grant = {
      group: unique("group"),
      folderId: (await newFile()).folderId,
      actions: ["list"],
    };
    return JSON.parse((await a.json("POST", "/api/grants", grant)).text).data.grant.id;
  };
  return {
    listGrants: async () => ({ path: "/api/grants" }),
    createGrant: async () =>
      json("/api/grants", {
        group: unique("group"),
        folderId: (await newFile()).folderId,
        actions: ["list"],
      }),
    changeGrant: async () =>
      json("/api/grants", { id: await newGrantId(), actions: ["list", "read"] }),
    removeGrant: async () => json("/api/grants", { id: await newGrantId() }),
    listChanges: async () => ({ path: "/api/changes" }),
    listFiles: async () => ({ path: "/api/files" }),
    fileDigest: async () => ({ path: `/api/files/digest?id=${(await newFile()).id}` }),
    fileLifetime: async () => ({ path: `/api/files/lifetime?id=${(await newFile()).id}` }),
    fileMetadata: async () => ({ path: `/api/files/metadata?id=${(await newFile()).id}` }),
    uploadFiles: async () => {
      const { contentType, bytes } = multipart([
        field("folder", unique("call")),
        filePart("file.txt", "x"),
      ]);
      return { path: "/api/files", body: bytes, contentType };
    },
    putContent: async () => ({
      path: `/api/files/content?key=${unique("call")}/file.txt`,
      body: "x",
    }),
    readContent: async () => ({ path: `/api/files/content?id=${(await newFile()).id}` }),
    listTrash: async () => ({ path: "/api/trash" }),
    restoreTrash: async () => json("/api/trash/restore", { ids: [await newTrashedId()] }),
    async undoChanges() {
      const since = new Date().toISOString();
      const body = { name: unique("key"), actions: ["write", "discard"] };
      const { key, secret } = JSON.parse((await a.json("POST", "/api/keys", body)).text).data;
      const { id } = await newFile();
      await api({ ...server, apiKey: secret }).json("DELETE", "/api/files", { id });
      return json("/api/undo", { by: key.id, since });
    },
    emptyTrash: async () => json("/api/trash", { ids: [await newTrashedId()] }),
    listVersions: async () => ({ path: `/api/files/versions?id=${(await newFile()).id}` }),
    downloadVersion: async () => ({
      path: `/api/files/versions/content?id=${await newVersionId(server)}`,
    }),
    restoreVersion: async () =>
      json("/api/files/versions/restore", { id: await newVersionId(server) }),
    deleteVersions: async () => json("/api/files/versions", { ids: [await newVersionId(server)] }),
    createUpload: async () => json("/api/uploads", { folder: unique("call"), name: "file.txt" }),
    createBatch: async () => json("/api/batches", { folder: unique("call") }),
    changeFile: async () => json("/api/files", { id: (await newFile()).id, name: "other.txt" }),
    copyFiles: async () => json("/api/files/copy", { id: (await newFile()).id, name: "copy.txt" }),
    deleteFiles: async () => json("/api/files", { id: (await newFile()).id }),
    signFile: async () => json("/api/files/sign", { id: (await newFile()).id }),
    downloadFile: async () => ({ path: `/api/files/download/${(await newFile()).id}` }),
    downloadFiles: async () => json("/api/files/download", { ids: [(await newFile()).id] }),
    downloadSelection: async () => ({ path: `/api/files/download?ids=${(await newFile()).id}` }),
    hostFile: async () => ({ path: `/${(await newFile()).url}` }),
    browseFolder: async () => ({ path: "/api/folders?key=" }),
    downloadFolder: async () => ({
      path: `/api/folders/download?id=${(await newFile()).folderId}`,
    }),
    readFolderVisibility: async () => ({
      path: `/api/folders/visibility?id=${(await newFile()).folderId}`,
    }),
    countVisibility: async () => ({
      path: `/api/folders/visibility/count?id=${(await newFile()).folderId}`,
    }),
    readQuotas: async () => ({ path: "/api/folders/quota" }),
    setQuota: async () =>
      json("/api/folders/quota", { id: (await newFile()).folderId, maxBytes: 1_000_000 }),
    measureFolder: async () => ({ path: `/api/folders/size?id=${(await newFile()).folderId}` }),
    signFolder: async () => json("/api/folders/sign", { id: (await newFile()).folderId }),
    createFolder: async () => json("/api/folders", { folder: unique("call") }),
    changeFolder: async () =>
      json("/api/folders", { id: (await newFile()).folderId, name: unique("call") }),
    copyFolder: async () =>
      json("/api/folders/copy", { id: (await newFile()).folderId, name: unique("call") }),
    deleteFolder: async () => json("/api/folders", { id: (await newFile()).folderId }),
    search: async () => ({ path: "/api/search?q=call" }),
    listKeys: async () => ({ path: "/api/keys" }),
    createKey: async () => json("/api/keys", { name: unique("key") }),
    revealS3Credentials: async () => json("/api/keys/s3", { id: await newKeyId() }),
    renameKey: async () => json("/api/keys", { id: await newKeyId(), name: "other" }),
    rotateKey: async () => json("/api/keys/rotate", { id: await newKeyId() }),
    revokeKey: async () => json("/api/keys", { id: await newKeyId() }),
    listLinks: async () => ({ path: "/api/links" }),
    createLink: async () => json("/api/links", { fileId: (await newFile()).id }),
    changeLink: async () => json("/api/links", { id: await newLinkId(), uses: 3 }),
    revokeLink: async () => json("/api/links", { id: await newLinkId() }),
    fetchFiles: async () => json("/api/files/fetch", { url: NOWHERE }),
    listWebhooks: async () => ({ path: "/api/webhooks" }),
    createWebhook: async () => json("/api/webhooks", { name: unique("hook"), url: NOWHERE }),
    changeWebhook: async () => json("/api/webhooks", { id: await newWebhookId(), active: false }),
    deleteWebhook: async () => json("/api/webhooks", { id: await newWebhookId() }),
    testWebhook: async () => json("/api/webhooks/test", { id: await newWebhookId() }),
    replayWebhook: async () =>
      json("/api/webhooks/replay", { id: await newWebhookId(), since: "2020-01-01" }),
    rotateWebhook: async () => json("/api/webhooks/rotate", { id: await newWebhookId() }),
    listDeliveries: async () => ({ path: `/api/webhooks/deliveries?id=${await newWebhookId()}` }),
    overview: async () => ({ path: "/api/overview" }),
    clearActivity: async () => json("/api/activity", { before: "2020-01-01" }),
    listActivity: async () => ({ path: "/api/activity" }),
    keyTraffic: async () => ({ path: "/api/keys/traffic" }),
    healthDetails: async () => ({ path: "/api/health/details" }),
    startScrub: async () => ({ path: "/api/health/scrub" }),
    openapi: async () => ({ path: "/api/openapi.json" }),
    readSettings: async () => ({ path: "/api/settings" }),
    readLogo: async () => ({ path: "/api/settings/logo" }),
    putLogo: async () => ({
      path: "/api/settings/logo",
      body: encodePng(1, 1, () => [0, 0, 0, 255]),
      contentType: "image/png",
    }),
    removeLogo: async () => ({ path: "/api/settings/logo" }),
    changeSettings: async () => json("/api/settings", { maxDeleteBatch: 500 }),
  };
}
