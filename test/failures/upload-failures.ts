import { api, type HeaderPairs, type Reachable, send, unique } from "../client.ts";
import { eventually } from "../expectations.ts";
import type { HttpResponse } from "../http-response.ts";
import { field, filePart, multipart, type Part } from "../multipart.ts";
import {
  append,
  BYTES,
  base64,
  beginAppend,
  createAsTus,
  createUpload,
  locationOf,
  metadataOf,
  offsetOf,
} from "../upload-url.ts";
import type { Provoke } from "./general-failures.ts";
import type { Scene } from "./scene.ts";

const WRONG_SHA256 = "0".repeat(64);
const WRONG_DIGEST = { "Content-Digest": `sha-256=:${Buffer.alloc(32).toString("base64")}:` };
const WRONG_CHECKSUM = { "Upload-Checksum": `sha1 ${base64(Buffer.alloc(20))}` };
const ENDS = { fileExpiresIn: 60, fileExpiresAt: "2099-01-01" };

/** How requests about uploads and batches fail, by operation, status and code. */
export function uploadFailures({
  a,
  site,
  secretFor,
  start,
}: Scene): Readonly<Record<string, Provoke>> {
  const newFile = () => a.put(`${unique("failure")}/a.txt`);
  const folderOf = (key: string): string => key.slice(0, key.lastIndexOf("/"));
  async function fullFolder(): Promise<string> {
    const { id, key } = await a.folder(unique("full"));
    await a.json("PUT", "/api/folders/quota", { id, maxBytes: 1 });
    return key;
  }
  const fill = (key: string) => a.json("PUT", "/api/folders/quota", { key, maxBytes: 1 });
  const outside = async (path: string, body: object) => {
    const secret = await secretFor(["list", "write"], (await a.folder(unique("own"))).key);
    return a.json("POST", path, { folder: unique("outside"), ...body }, { "API-Key": secret });
  };
  /** Creates an upload, with its first bytes, as a client of tus does. */
  const creation =
    (path: () => Promise<string>) =>
    (pairs: Readonly<Record<string, string>>, headers: HeaderPairs = {}, length = 3) =>
    async () => {
      const named = metadataOf({ filename: unique("file"), ...pairs });
      const all = { "API-Key": site.apiKey, ...BYTES, "Upload-Length": `${length}`, ...named };
      return send(site, "POST", await path(), { ...all, ...headers }, "abc");
    };
  const create = creation(async () => "/api/uploads");
  const newBatch = async (body: object = {}): Promise<string> =>
    batchOf(await a.json("POST", "/api/batches", { folder: unique("batch"), ...body }));
  const createInBatch = creation(async () => `${await newBatch()}/uploads`);
  const add = (batch: string, ...parts: Part[]): Promise<HttpResponse> => {
    const { contentType, bytes } = multipart(parts);
    return send(site, "POST", `${batch}/files`, { "Content-Type": contentType }, bytes);
  };
  const addUpload = (batch: string, body: object): Promise<HttpResponse> =>
    send(
      site,
      "POST",
      `${batch}/uploads`,
      { "Content-Type": "application/json" },
      JSON.stringify(body),
    );
  const commit = (batch: string) => send(site, "POST", `${batch}/commit`);
  async function committedBatch(): Promise<string> {
    const batch = await newBatch();
    await add(batch, filePart("a", "x"));
    await commit(batch);
    return batch;
  }
  async function untilExpired(server: Reachable, path: string): Promise<string> {
    const isExpired = async () => (await send(server, "GET", path)).status === 410;
    await eventually("it has expired", isExpired);
    return path;
  }
  const expiredUpload = async () => untilExpired(site, await createUpload(site, { expiresIn: 1 }));
  /** The sweep may remove the upload between both requests; the next one that expires then stays for a minute. */
  const ofExpired = (method: string) => async () => {
    const response = await send(site, method, await expiredUpload());
    return response.status === 404 ? send(site, method, await expiredUpload()) : response;
  };
  const ofExpiredBatch =
    (method: string, suffix = "") =>
    async () => {
      const brief = await start({ UPLOAD_EXPIRY: "1s" });
      const made = await api(brief).json("POST", "/api/batches", { folder: "a" });
      return send(brief, method, `${await untilExpired(brief, batchOf(made))}${suffix}`);
    };
  /** A replaced file would end earlier, which the key may not do. */
  async function weakUpload(): Promise<readonly [folder: string, secret: string]> {
    const folder = unique("failure");
    await a.folder(folder);
    return [folder, await secretFor(["list", "write", "discard"], folder)];
  }

  return {
    "createUpload 400 digest_mismatch": create({}, WRONG_DIGEST),
    "createUpload 400 invalid_lifetime": () =>
      a.json("POST", "/api/uploads", { name: "a", ...ENDS }),
    "createUpload 404 not_found": () => outside("/api/uploads", { name: "a" }),
    "createUpload 422 digest_mismatch": create({ sha256: WRONG_SHA256 }),
    "createUpload 422 name_taken": async () => {
      const { key, name } = await newFile();
      return create({ folder: folderOf(key), filename: name })();
    },
    "createUpload 460 checksum_mismatch": create({}, WRONG_CHECKSUM),
    "createUpload 507 quota_exceeded": async () =>
      a.json("POST", "/api/uploads", { folder: await fullFolder(), name: "a", size: 3 }),
    "uploadState 410 gone": ofExpired("HEAD"),
    "showUpload 410 gone": ofExpired("GET"),
    "cancelUpload 410 gone": ofExpired("DELETE"),

    "appendToUpload 400 digest_mismatch": async () =>
      append(site, await createUpload(site), 0, "abc", WRONG_DIGEST),
    "appendToUpload 400 invalid_request": async () =>
      send(site, "PATCH", await createUpload(site), BYTES, "abc"),
    async "appendToUpload 403 forbidden"() {
      const [folder, secret] = await weakUpload();
      const body = { folder, name: "a", size: 3, onConflict: "replace", fileExpiresIn: 60 };
      const path = locationOf(await a.json("POST", "/api/uploads", body, { "API-Key": secret }));
      await a.put(`${folder}/a`);
      return append(site, path, 0, "abc");
    },
    "appendToUpload 409 wrong_offset": async () => append(site, await createUpload(site), 7, "abc"),
    "appendToUpload 410 gone": async () => append(site, await expiredUpload(), 0, "abc"),
    "appendToUpload 413 too_large": async () =>
      append(site, await createUpload(site, { size: 1 }), 0, "abc"),
    "appendToUpload 422 digest_mismatch": async () => {
      const named = metadataOf({ filename: unique("file"), sha256: WRONG_SHA256 });
      const made = await createAsTus(site, { "Upload-Length": "3", ...named });
      return append(site, locationOf(made), 0, "abc");
    },
    async "appendToUpload 422 name_taken"() {
      const folder = unique("failure");
      const path = await createUpload(site, { folder, name: "a", size: 3 });
      await a.put(`${folder}/a`);
      return append(site, path, 0, "abc");
    },
    async "appendToUpload 423 locked"() {
      const path = await createUpload(site, { size: 9 });
      const writer = await beginAppend(site, path, {
        ...{ offset: 0, length: 9 },
        bytes: Buffer.from("abc"),
      });
      // A second request that comes before the first has begun is the one that writes.
      await eventually("the first request writes", async () => (await offsetOf(site, path)) === 3);
      const response = await append(site, path, 9, "x");
      writer.destroy();
      return response;
    },
    "appendToUpload 460 checksum_mismatch": async () =>
      append(site, await createUpload(site), 0, "abc", WRONG_CHECKSUM),
    async "appendToUpload 507 quota_exceeded"() {
      const folder = unique("failure");
      const path = await createUpload(site, { folder, size: 3 });
      await a.folder(folder);
      await fill(folder);
      return append(site, path, 0, "abc");
    },

    "createBatch 400 invalid_lifetime": () => a.json("POST", "/api/batches", ENDS),
    "createBatch 404 not_found": () => outside("/api/batches", {}),
    "showBatch 410 gone": ofExpiredBatch("GET"),
    "dropBatch 410 gone": ofExpiredBatch("DELETE"),
    "commitBatch 410 gone": ofExpiredBatch("POST", "/commit"),
    "addToBatch 400 digest_mismatch": async () =>
      add(await newBatch(), filePart("a", "x"), field("sha256", WRONG_SHA256)),
    "addToBatch 400 invalid_lifetime": async () =>
      add(
        await newBatch(),
        field("expiresIn", "60"),
        field("expiresAt", "2099-01-01"),
        filePart("a", "x"),
      ),
    "addToBatch 409 name_taken": async () =>
      add(await newBatch(), filePart("a", "x"), filePart("a", "y")),
    "addToBatch 410 gone": async () => add(await committedBatch(), filePart("b", "x")),
    "addToBatch 413 too_large": async () =>
      add(await newBatch(), filePart("a", new Uint8Array(1024 * 1024 + 1))),
    "addToBatch 413 too_many": async () =>
      add(await newBatch(), ...["a", "b", "c"].map((name) => filePart(name, "x"))),
    "createBatchUpload 400 digest_mismatch": createInBatch({}, WRONG_DIGEST),
    "createBatchUpload 400 invalid_lifetime": async () =>
      addUpload(await newBatch(), { name: "a", ...ENDS }),
    "createBatchUpload 410 gone": async () => addUpload(await committedBatch(), { name: "b" }),
    async "createBatchUpload 413 too_many"() {
      const large = await start({ MAX_FILES_PER_REQUEST: "10000" });
      const batch = batchOf(await api(large).json("POST", "/api/batches", { folder: "a" }));
      const names = Array.from({ length: 10_000 }, (_, at) => `${at}.txt`);
      const { contentType, bytes } = multipart(names.map((name) => filePart(name, "")));
      await send(large, "POST", `${batch}/files`, { "Content-Type": contentType }, bytes);
      const one = JSON.stringify({ name: "one more" });
      const json = { "Content-Type": "application/json" };
      return send(large, "POST", `${batch}/uploads`, json, one);
    },
    "createBatchUpload 422 digest_mismatch": createInBatch({ sha256: WRONG_SHA256 }),
    async "createBatchUpload 422 name_taken"() {
      const batch = await newBatch();
      await add(batch, filePart("a", "x"));
      return addUpload(batch, { name: "a", size: 3 });
    },
    "createBatchUpload 460 checksum_mismatch": createInBatch({}, WRONG_CHECKSUM),
    "createBatchUpload 507 quota_exceeded": async () =>
      addUpload(await newBatch({ folder: await fullFolder() }), { name: "a", size: 3 }),
    async "commitBatch 403 forbidden"() {
      const [folder, secret] = await weakUpload();
      const body = { folder, onConflict: "replace", fileExpiresIn: 60 };
      const made = await a.json("POST", "/api/batches", body, { "API-Key": secret });
      const batch = batchOf(made);
      await add(batch, filePart("a", "x"));
      await a.put(`${folder}/a`);
      return commit(batch);
    },
    async "commitBatch 409 conflict"() {
      const batch = await newBatch();
      await addUpload(batch, { name: "a", size: 3 });
      return commit(batch);
    },
    async "commitBatch 409 name_taken"() {
      const { key, name } = await newFile();
      const batch = await newBatch({ folder: folderOf(key) });
      await add(batch, filePart(name, "x"));
      return commit(batch);
    },
    async "commitBatch 507 quota_exceeded"() {
      const folder = unique("failure");
      await a.folder(folder);
      const batch = await newBatch({ folder });
      await add(batch, filePart("a", "content"));
      await fill(folder);
      return commit(batch);
    },
  };
}

/** The path in the response to the creation of a batch. */
function batchOf({ text }: HttpResponse): string {
  const { url } = JSON.parse(text).data;
  return `/api/batches/${url.slice(url.lastIndexOf("/") + 1)}`;
}
