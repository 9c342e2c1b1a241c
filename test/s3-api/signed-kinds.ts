import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { api, unique } from "../client.ts";
import { rawRequest } from "../raw.ts";
import type { S3TestServer } from "./s3-server.fixture.ts";
import {
  bytesOf,
  type Draft,
  presign,
  type Signing,
  signChunks,
  signHeader,
} from "./sign-request.ts";

/** A valid request of one operation, with one kind of credentials and body. */
export interface SignedKind {
  readonly sign: (signing: Signing) => Draft;
  /** Its status. */
  readonly status: 200 | 204;
  /** The actions that do not suffice. */
  readonly useless: readonly string[];
  /** Makes the request possible again. */
  readonly restore?: () => Promise<unknown>;
}

export interface SignedKinds {
  readonly kinds: Readonly<Record<string, SignedKind>>;
  /** The open uploads and their parts. */
  uploads(): Promise<string>;
}

/** The content of `vault/secret.txt`. */
export const SECRET = "private content of an object";

const BODY = Buffer.from("the private content that is uploaded");
const ALL = ["list", "read", "write", "delete", "share", "keys"];
const without = (...actions: string[]): readonly string[] =>
  ALL.filter((action) => !actions.includes(action));

const UPLOAD_PATH = "/vault/upload.bin";

const checksum = Buffer.alloc(4);
checksum.writeUInt32BE(crc32(BODY));
const trailer = ["x-amz-checksum-crc32", checksum.toString("base64")] as const;

/** Requests about the private objects of the bucket `vault`, which this makes. */
export async function createSignedKinds(server: S3TestServer): Promise<SignedKinds> {
  const host = `127.0.0.1:${server.port}`;
  const a = api(server);
  const putSecret = () => a.put("vault/secret.txt", SECRET, { visibility: "private" });
  await putSecret();

  const get = (path = "/vault/secret.txt", query = ""): Draft => ({
    method: "GET",
    path,
    query,
    headers: { host },
    body: Buffer.alloc(0),
  });
  const put = (path = `/vault/${unique("put")}.txt`, query = ""): Draft => ({
    method: "PUT",
    path,
    query,
    body: BODY,
    headers: { host, "content-type": "text/plain" },
  });
  const post = (path: string, query: string, body: string): Draft => ({
    method: "POST",
    path,
    query,
    headers: { host },
    body: Buffer.from(body),
  });
  const copy = (draft: Draft): Draft => ({
    ...draft,
    body: Buffer.alloc(0),
    headers: { host, "x-amz-copy-source": "/vault/secret.txt" },
  });
  const acl = (name: string): Draft => ({
    ...get("/vault/secret.txt", "acl="),
    method: "PUT",
    headers: { host, "x-amz-acl": name },
  });
  const send = (draft: Draft) => rawRequest(server.port, bytesOf(draft));
  const asOwner = (draft: Draft) => send(signHeader(draft, server.credentials));

  let uploadId = "";
  const part = () => `partNumber=1&uploadId=${encodeURIComponent(uploadId)}`;
  const upload = () => `uploadId=${encodeURIComponent(uploadId)}`;
  async function openUpload(): Promise<void> {
    const { text } = await asOwner(post(UPLOAD_PATH, "uploads=", ""));
    uploadId = /<UploadId>([^<]+)</.exec(text)?.[1] ?? "";
    await asOwner(put(UPLOAD_PATH, part()));
  }
  await openUpload();
  const etag = createHash("md5").update(BODY).digest("hex");
  const complete = `<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>${etag}</ETag></Part></CompleteMultipartUpload>`;
  const remove = "<Delete><Object><Key>secret.txt</Key></Object></Delete>";

  const reads = { status: 200, useless: without("read") } as const;
  const writes = { status: 200, useless: without("write") } as const;
  const lists = { status: 200, useless: without("list", "write") } as const;
  const deletes = { status: 204, useless: without("delete"), restore: putSecret } as const;

  return {
    uploads: async () =>
      (await asOwner(get("/vault", "uploads="))).text +
      (await asOwner(get(UPLOAD_PATH, upload()))).text,
    kinds: {
      "GET, header": { ...reads, sign: (by) => signHeader(get(), by) },
      "GET, query": { ...reads, sign: (by) => presign(get(), by) },
      "PUT, header and hash": { ...writes, sign: (by) => signHeader(put(), by) },
      "PUT, header alone": { ...writes, sign: (by) => signHeader(put(), by, "UNSIGNED-PAYLOAD") },
      "PUT, query": { ...writes, sign: (by) => presign(put(), by) },
      "PUT, signed chunks": {
        ...writes,
        sign: (by) => signChunks(put(), by, { isSigned: true }),
      },
      "PUT, signed chunks and trailer": {
        ...writes,
        sign: (by) => signChunks(put(), by, { isSigned: true, trailer }),
      },
      "PUT, unsigned chunks and trailer": {
        ...writes,
        sign: (by) => signChunks(put(), by, { isSigned: false, trailer }),
      },
      "copy, header": { ...writes, sign: (by) => signHeader(copy(put()), by) },
      "list, header": {
        ...lists,
        sign: (by) => signHeader(get("/vault", "list-type=2&prefix=s"), by),
      },
      "DELETE, header": {
        ...deletes,
        sign: (by) => signHeader({ ...get(), method: "DELETE" }, by),
      },
      "DELETE, query": { ...deletes, sign: (by) => presign({ ...get(), method: "DELETE" }, by) },
      "delete objects, header": {
        ...deletes,
        status: 200,
        sign: (by) => signHeader(post("/vault", "delete=", remove), by),
      },
      "ACL, header": {
        ...writes,
        sign: (by) => signHeader(acl("public-read"), by),
        restore: () => asOwner(acl("private")),
      },
      "new upload, header": {
        ...writes,
        sign: (by) => signHeader(post("/vault/new.bin", "uploads=", ""), by),
      },
      "part, header": { ...writes, sign: (by) => signHeader(put(UPLOAD_PATH, part()), by) },
      "part, query": { ...writes, sign: (by) => presign(put(UPLOAD_PATH, part()), by) },
      "part, unsigned chunks and trailer": {
        ...writes,
        sign: (by) => signChunks(put(UPLOAD_PATH, part()), by, { isSigned: false, trailer }),
      },
      "copied part, header": {
        ...writes,
        sign: (by) => signHeader(copy(put(UPLOAD_PATH, part())), by),
        restore: () => asOwner(put(UPLOAD_PATH, part())),
      },
      "list parts, header": { ...lists, sign: (by) => signHeader(get(UPLOAD_PATH, upload()), by) },
      "list uploads, header": { ...lists, sign: (by) => signHeader(get("/vault", "uploads="), by) },
      "complete, header": {
        ...writes,
        sign: (by) => signHeader(post(UPLOAD_PATH, upload(), complete), by),
        restore: openUpload,
      },
      "abort, header": {
        ...writes,
        status: 204,
        sign: (by) => signHeader({ ...get(UPLOAD_PATH, upload()), method: "DELETE" }, by),
        restore: openUpload,
      },
    },
  };
}
