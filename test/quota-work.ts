import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { api } from "./client.ts";
import type { S3TestServer } from "./s3-api/s3-server.fixture.ts";
import { append, createAsTus, locationOf, metadataOf } from "./upload-url.ts";

/* What clients do in folders with a quota. */

export const SIZE = 1000;
const CONTENT = "x".repeat(SIZE);

const pick = <T>(all: readonly T[]): T | undefined => all[Math.floor(Math.random() * all.length)];

/** The server and the names that a step uses. */
interface Step {
  readonly server: S3TestServer;
  readonly spaces: readonly string[];
  /** A key in one of the spaces, taken now and then. */
  readonly key: string;
  /** A name that is not taken. */
  readonly name: string;
}

/** The status of the last answer; undefined: there was nothing to work on. */
type Status = number | undefined;
type Act = (step: Step) => Promise<Status>;

async function put(server: S3TestServer, key: string): Promise<Status> {
  const query = `key=${encodeURIComponent(key)}&onConflict=replace`;
  return (await api(server).json("PUT", `/api/files/content?${query}`, CONTENT)).status;
}

const anyFile = async ({ server }: Step) => pick(await api(server).list("?limit=100"));

async function anyFolder({ server, spaces }: Step) {
  return pick((await api(server).browse(pick(spaces) ?? "")).folders);
}

const spaceOf = async ({ server, spaces }: Step): Promise<string> =>
  (await api(server).browse(pick(spaces) ?? "")).folder.id;

async function change(
  { server }: Step,
  method: string,
  path: string,
  id: string | undefined,
  body: object,
): Promise<Status> {
  if (id === undefined) return undefined;
  return (await api(server).json(method, path, { id, ...body })).status;
}

/** Moves a file or folder to the trash; then restores it, or deletes it permanently. */
async function trash(
  { server }: Step,
  path: string,
  id: string | undefined,
  next?: "restore" | "purge",
): Promise<Status> {
  if (id === undefined) return undefined;
  const { json } = api(server);
  const deleted = await json("DELETE", path, { id, trash: true });
  if (deleted.status !== 200 || next === undefined) return deleted.status;
  const { undoId } = JSON.parse(deleted.text).data;
  if (next === "purge") return (await json("DELETE", "/api/trash", { undoId })).status;
  return (await json("POST", "/api/trash/restore", { undoId })).status;
}

async function multipart({ server, key }: Step): Promise<Status> {
  const client = new S3Client({
    endpoint: server.url,
    credentials: server.credentials,
    region: "us-east-1",
    forcePathStyle: true,
    maxAttempts: 1,
  });
  const [Bucket = "", ...rest] = key.split("/");
  const object = { Bucket, Key: rest.join("/") };
  try {
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(object));
    const upload = { ...object, UploadId };
    const part = { ...upload, PartNumber: 1, Body: CONTENT };
    const { ETag } = await client.send(new UploadPartCommand(part));
    const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] };
    await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload }));
    return 200;
  } catch (error) {
    if (!(error instanceof S3ServiceException)) throw error;
    // S3 answers 403 when a quota is exceeded.
    return error.name === "QuotaExceeded" ? 507 : error.$metadata.httpStatusCode;
  } finally {
    client.destroy();
  }
}

async function tus({ server, key, name }: Step): Promise<Status> {
  const folder = key.slice(0, key.lastIndexOf("/"));
  const created = await createAsTus(server, {
    "Upload-Length": String(SIZE),
    ...metadataOf({ filename: name, folder }),
  });
  if (created.status !== 201) return created.status;
  const path = locationOf(created);
  const half = SIZE / 2;
  await append(server, path, 0, CONTENT.slice(0, half));
  return (await append(server, path, half, CONTENT.slice(half))).status;
}

const FILES = "/api/files";
const FOLDERS = "/api/folders";

/** Every way in which contents come, change their place, and go. */
export const WORK: Readonly<Record<string, Act>> = {
  upload: ({ server, key }) => put(server, key),
  replace: async (step) => {
    const file = await anyFile(step);
    return file === undefined ? undefined : put(step.server, file.key);
  },
  "upload over tus": tus,
  "multipart upload over S3": multipart,
  "copy of a file": async (step) =>
    change(step, "POST", `${FILES}/copy`, (await anyFile(step))?.id, {
      folderId: await spaceOf(step),
      name: step.name,
    }),
  "move of a file": async (step) =>
    change(step, "PUT", FILES, (await anyFile(step))?.id, {
      folderId: await spaceOf(step),
      name: step.name,
    }),
  "move of a folder": async (step) =>
    change(step, "PUT", FOLDERS, (await anyFolder(step))?.id, {
      parentId: await spaceOf(step),
      name: step.name,
    }),
  "file into the trash": async (step) => trash(step, FILES, (await anyFile(step))?.id),
  "file into the trash and back": async (step) =>
    trash(step, FILES, (await anyFile(step))?.id, "restore"),
  "file through the trash": async (step) => trash(step, FILES, (await anyFile(step))?.id, "purge"),
  "folder into the trash and back": async (step) =>
    trash(step, FOLDERS, (await anyFolder(step))?.id, "restore"),
  "folder through the trash": async (step) =>
    trash(step, FOLDERS, (await anyFolder(step))?.id, "purge"),
  "deletion of a file": async (step) =>
    change(step, "DELETE", FILES, (await anyFile(step))?.id, { trash: false }),
};

/** Deletes what is in the trash, which the quotas count. */
export const emptyTrash = (server: S3TestServer) =>
  api(server).json("DELETE", "/api/trash", { all: true });
