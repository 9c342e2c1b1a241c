import { api, type HeaderPairs, send, unique } from "../client.ts";
import { eventually } from "../expectations.ts";
import { encodePng } from "../image-encoders.ts";
import { field, filePart, type Part } from "../multipart.ts";
import { openRaw } from "../raw.ts";
import type { Provoke } from "./general-failures.ts";
import type { Scene } from "./scene.ts";

const NOBODY = "0".repeat(32);
const WRONG_SHA256 = "0".repeat(64);
const WRONG_DIGEST = `sha-256=:${Buffer.alloc(32).toString("base64")}:`;
const TWO_ENDS = { expiresIn: 60, expiresAt: "2099-01-01" };
const IMAGE = "image/png";

/** How requests about files and folders fail, by operation, status and code. */
export function fileFailures({
  a,
  site,
  strict,
  secretFor,
}: Scene): Readonly<Record<string, Provoke>> {
  const newFile = () => a.put(`${unique("failure")}/a.txt`);
  const newFolder = () => a.folder(unique("failure"));
  const raw = (method: string, path: string, headers: HeaderPairs, content: string | Uint8Array) =>
    send(site, method, path, { "API-Key": site.apiKey, ...headers }, content);
  /** A folder whose quota is used up. */
  async function fullFolder() {
    const folder = await newFolder();
    await a.json("PUT", "/api/folders/quota", { id: folder.id, maxBytes: 1 });
    return folder;
  }
  const upload = (...parts: Part[]) => a.upload([field("folder", unique("failure")), ...parts]);
  const put = (key: string, query = "", headers = {}, content: string | Uint8Array = "content") =>
    raw("PUT", `/api/files/content?key=${key}${query}`, headers, content);
  /** With a key of another folder. */
  const outside = async (method: string, path: string, body: string, headers = {}) => {
    const secret = await secretFor(["list", "write"], (await newFolder()).key);
    return raw(method, path, { ...headers, "API-Key": secret }, body);
  };
  const outsideJson = (path: string, body: object) =>
    outside("POST", path, JSON.stringify(body), { "Content-Type": "application/json" });
  /** Without the trash. */
  async function withoutTrash(method: string, path: string, body: object) {
    await a.json("PUT", "/api/settings", { trashDays: 0 });
    try {
      return await a.json(method, path, body);
    } finally {
      await a.json("PUT", "/api/settings", { trashDays: null });
    }
  }
  /** Two files of one folder. */
  async function twoFiles() {
    const folder = unique("failure");
    return [await a.put(`${folder}/a.txt`), await a.put(`${folder}/b.txt`)] as const;
  }
  return {
    "listFiles 400 invalid_request": () => a.get("/api/files?limit=x"),
    "listFiles 404 not_found": () => a.get(`/api/files?id=${NOBODY}`),
    "uploadFiles 400 digest_mismatch": () =>
      upload(filePart("a", "x"), field("sha256", WRONG_SHA256)),
    "uploadFiles 400 invalid_lifetime": () =>
      upload(field("expiresIn", "60"), field("expiresAt", "2099-01-01"), filePart("a", "x")),
    "uploadFiles 404 not_found": () =>
      outside(
        "POST",
        "/api/files",
        `--x\r\nContent-Disposition: form-data; name="folder"\r\n\r\nno\r\n--x--\r\n`,
        {
          "Content-Type": "multipart/form-data; boundary=x",
        },
      ),
    "uploadFiles 409 name_taken": () => upload(filePart("a", "x"), filePart("a", "y")),
    "uploadFiles 413 too_large": () => upload(filePart("a", new Uint8Array(1024 * 1024 + 1))),
    "uploadFiles 413 too_many": () => upload(...["a", "b", "c"].map((name) => filePart(name, "x"))),
    "uploadFiles 507 quota_exceeded": async () =>
      a.upload([field("folder", (await fullFolder()).key), filePart("a", "content")]),

    "putContent 400 digest_mismatch": () =>
      put(unique("put"), "", { "Content-Digest": WRONG_DIGEST }),
    "putContent 400 invalid_lifetime": () =>
      put(unique("put"), "&expiresIn=60&expiresAt=2099-01-01"),
    "putContent 400 invalid_request": () =>
      put(unique("put"), "", { "Content-Range": "bytes 0-0/3" }),
    "putContent 404 not_found": () => outside("PUT", `/api/files/content?key=${unique("x")}`, "x"),
    "putContent 409 name_taken": async () => put((await newFile()).key, "&onConflict=refuse"),
    async "putContent 409 request_running"() {
      const key = unique("put");
      const headers = { "API-Key": site.apiKey, "Idempotency-Key": key };
      const first = await openRaw(site.port);
      const lines = Object.entries({ ...headers, Host: "localhost", "Content-Length": "9" });
      const head = lines.map((pair) => `${pair.join(": ")}\r\n`).join("");
      first.send(`PUT /api/files/content?key=${key} HTTP/1.1\r\n${head}\r\ncon`);
      // It stores nothing, also if it comes before the first one. Of several processes only one knows the first, so each
      // probe is a new connection.
      const own = { ...headers, "If-Match": "*", Connection: "close" };
      const probe = () => put(key, "", own, "differs");
      let response = await probe();
      await eventually("the first request is known", async () => {
        response = await probe();
        return response.status === 409;
      });
      first.destroy();
      return response;
    },
    "putContent 413 too_large": () => put(unique("put"), "", {}, new Uint8Array(1024 * 1024 + 1)),
    async "putContent 422 idempotency_key_reused"() {
      const key = unique("put");
      await put(key, "", { "Idempotency-Key": key });
      return put(key, "", { "Idempotency-Key": key }, "other content");
    },
    "putContent 507 quota_exceeded": async () => put(`${(await fullFolder()).key}/a`),

    "changeFile 400 trash_disabled": async () => {
      const [{ id }, { name }] = await twoFiles();
      const body = { id, name, onConflict: "replace", trash: true };
      return withoutTrash("PUT", "/api/files", body);
    },
    "changeFile 400 invalid_lifetime": async () =>
      a.json("PUT", "/api/files", { id: (await newFile()).id, ...TWO_ENDS }),
    "changeFile 409 name_taken": async () => {
      const [{ id }, { name }] = await twoFiles();
      return a.json("PUT", "/api/files", { id, name });
    },
    "changeFile 507 quota_exceeded": async () =>
      a.json("PUT", "/api/files", { id: (await newFile()).id, folderId: (await fullFolder()).id }),
    "copyFiles 400 invalid_lifetime": async () =>
      a.json("POST", "/api/files/copy", { id: (await newFile()).id, name: "b", ...TWO_ENDS }),
    "copyFiles 409 name_taken": async () => {
      const [{ id }, { name }] = await twoFiles();
      return a.json("POST", "/api/files/copy", { id, name });
    },
    "copyFiles 507 quota_exceeded": async () => {
      const [{ id }, folder] = [await newFile(), await fullFolder()];
      return a.json("POST", "/api/files/copy", { id, folderId: folder.id });
    },
    "deleteFiles 400 trash_disabled": async () =>
      withoutTrash("DELETE", "/api/files", { id: (await newFile()).id, trash: true }),
    "fetchFiles 404 not_found": () =>
      outsideJson("/api/files/fetch", { url: "http://127.0.0.1:9/a", folder: unique("x") }),
    "hostFile 400 invalid_request": async () => a.get(`/${(await newFile()).url}?size=huge`),
    "hostFile 415 unsupported_media_type": async () =>
      a.get(`/${(await newFile()).url}?size=small`),
    "hostFile 422 unprocessable": async () => {
      const damaged = await a.put(`${unique("failure")}.png`, DAMAGED_PNG);
      return a.get(`/${damaged.url}?size=small`);
    },

    "browseFolder 400 invalid_request": () => a.get("/api/folders?key=&limit=x"),
    "createFolder 404 not_found": () => outsideJson("/api/folders", { folder: unique("x") }),
    "createFolder 409 name_taken": async () =>
      a.json("POST", "/api/folders", { folder: (await newFile()).key }),
    "changeFolder 409 name_taken": async () => {
      const [one, other] = [await newFolder(), await newFolder()];
      return a.json("PUT", "/api/folders", { id: one.id, name: other.name });
    },
    "changeFolder 409 conflict": async () => {
      const [{ id }, { id: parentId }] = [await fullFolder(), await newFolder()];
      return a.json("PUT", "/api/folders", { id, parentId });
    },
    "changeFolder 507 quota_exceeded": async () => {
      const [{ folderId }, full] = [await newFile(), await fullFolder()];
      return a.json("PUT", "/api/folders", { id: folderId, parentId: full.id });
    },
    "copyFolder 409 name_taken": async () => {
      const [one, other] = [await newFolder(), await newFolder()];
      return a.json("POST", "/api/folders/copy", { id: one.id, name: other.name });
    },
    async "copyFolder 413 too_many"() {
      const { id, key } = await newFolder();
      const inner = await a.folder(`${key}/inner`);
      let response = await a.json("POST", "/api/folders/copy", { id: inner.id, name: "first" });
      for (let round = 0; response.status === 200 && round < 16; round += 1) {
        const copied = unique("copied");
        response = await a.json("POST", "/api/folders/copy", { id, name: copied });
        await a.json("PUT", "/api/folders", { key: copied, parentId: id });
      }
      return response;
    },
    "copyFolder 507 quota_exceeded": async () => {
      const [{ folderId }, full] = [await newFile(), await fullFolder()];
      return a.json("POST", "/api/folders/copy", { id: folderId, parentId: full.id });
    },
    "deleteFolder 400 trash_disabled": async () =>
      withoutTrash("DELETE", "/api/folders", { id: (await newFolder()).id, trash: true }),

    "restoreTrash 410 gone": () =>
      a.json("POST", "/api/trash/restore", { by: NOBODY, since: "2020-01-01" }),
    async "restoreTrash 507 quota_exceeded"() {
      const { id, key, folderId } = await newFile();
      const { text } = await a.json("DELETE", "/api/files", { id, trash: true });
      await a.json("DELETE", "/api/folders", { id: folderId, trash: false });
      const again = await a.folder(key.slice(0, key.lastIndexOf("/")));
      await a.json("PUT", "/api/folders/quota", { id: again.id, maxBytes: 1 });
      return a.json("POST", "/api/trash/restore", { undoId: JSON.parse(text).data.undoId });
    },
    "undoChanges 404 not_found": () =>
      a.json("POST", "/api/undo", {
        by: NOBODY,
        since: new Date().toISOString(),
        folder: unique("x"),
      }),
    "undoChanges 410 gone": () => a.json("POST", "/api/undo", { by: NOBODY, since: "2020-01-01" }),
    async "undoChanges 507 quota_exceeded"() {
      const since = new Date().toISOString();
      const { text } = await a.json("POST", "/api/keys", {
        name: unique("key"),
        actions: ["write"],
      });
      const { key, secret } = JSON.parse(text).data;
      const { id, folderId } = await newFile();
      const elsewhere = (await newFolder()).id;
      await a.json("PUT", "/api/files", { id, folderId: elsewhere }, { "API-Key": secret });
      await a.json("PUT", "/api/folders/quota", { id: folderId, maxBytes: 1 });
      return a.json("POST", "/api/undo", { by: key.id, since });
    },
    "search 404 not_found": () => a.get(`/api/search?q=x&folder=${unique("x")}`),
    "listChanges 404 not_found": () => a.get(`/api/changes?folder=${unique("x")}`),
    async "listChanges 410 gone"() {
      const { text } = await api(strict).get("/api/changes");
      return a.get(`/api/changes?since=${JSON.parse(text).data.cursor}`);
    },
    "putLogo 413 too_large": () =>
      raw("PUT", "/api/settings/logo", { "Content-Type": IMAGE }, new Uint8Array(1024 * 1024 + 1)),
    "putLogo 422 unprocessable": () =>
      raw("PUT", "/api/settings/logo", { "Content-Type": IMAGE }, DAMAGED_PNG),
    "changeSettings 409 conflict": () => a.json("PUT", "/api/settings", { keepVersions: false }),
  };
}

const DAMAGED_PNG = encodePng(64, 64, (x, y) => [x * y, x, y]).subarray(0, 60);
