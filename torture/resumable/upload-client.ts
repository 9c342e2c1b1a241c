import { z } from "zod";
import { api, type Reachable, send } from "../../test/client.ts";
import type { HttpResponse } from "../../test/http-response.ts";
import { field, filePart, multipart } from "../../test/multipart.ts";

/* The requests of resumable uploads and batches. Paths contain the secret. */

/** What `HEAD` says about an upload. */
export interface UploadState {
  readonly status: number;
  readonly offset: number;
  readonly length: number;
  readonly isComplete: boolean;
}

export interface NewUpload {
  readonly folder: string;
  readonly name: string;
  readonly size: number;
  readonly onConflict?: "replace";
}

export const OFFSET_TYPE = "application/offset+octet-stream";

const created = z.object({ data: z.object({ upload: z.object({ url: z.string() }) }) });
const createdBatch = z.object({ data: z.object({ url: z.string() }) });
const shownBatch = z.object({
  data: z.object({
    batch: z.object({
      state: z.enum(["open", "committed"]),
      files: z.number(),
      result: z.object({ added: z.number() }).nullable(),
    }),
    members: z.array(z.object({ folder: z.string(), name: z.string() })).optional(),
  }),
});

/** Creates an upload, in a batch if its path is given. Returns the path of the upload. */
export async function createUpload(
  server: Reachable,
  upload: NewUpload,
  batch?: string,
): Promise<string> {
  const path = batch === undefined ? "/api/uploads" : `${batch}/uploads`;
  return pathOf(created, await api(server).json("POST", path, upload), 201, ({ upload }) => upload);
}

export async function createBatch(server: Reachable, folder: string): Promise<string> {
  const answer = await api(server).json("POST", "/api/batches", { folder });
  return pathOf(createdBatch, answer, 200, (data) => data);
}

function pathOf<Data>(
  shape: z.ZodType<{ data: Data }>,
  answer: HttpResponse,
  status: number,
  urlIn: (data: Data) => { readonly url: string },
): string {
  if (answer.status !== status) throw new Error(`Creation: ${answer.status} ${answer.text}`);
  return `/${urlIn(shape.parse(JSON.parse(answer.text)).data).url}`;
}

export async function readState(server: Reachable, path: string): Promise<UploadState> {
  const answer = await send(server, "HEAD", path, { "Tus-Resumable": "1.0.0" });
  return {
    status: answer.status,
    offset: Number(answer.header("upload-offset")),
    length: Number(answer.header("upload-length")),
    isComplete: answer.header("upload-complete") === "?1",
  };
}

export const append = (
  server: Reachable,
  path: string,
  offset: number,
  bytes: Uint8Array,
): Promise<HttpResponse> =>
  send(server, "PATCH", path, { "Upload-Offset": `${offset}`, "Content-Type": OFFSET_TYPE }, bytes);

/** Members for one request, by name; all in one folder. */
export type Members = ReadonlyMap<string, Uint8Array>;

export const membersForm = (folder: string, members: Members) =>
  multipart([
    field("folder", folder),
    ...[...members].map(([name, content]) => filePart(name, content)),
  ]);

export function addMembers(
  server: Reachable,
  batch: string,
  folder: string,
  members: Members,
): Promise<HttpResponse> {
  const { contentType, bytes } = membersForm(folder, members);
  return send(server, "POST", `${batch}/files`, { "Content-Type": contentType }, bytes);
}

export async function readBatch(server: Reachable, batch: string) {
  return parseBatch(await send(server, "GET", batch));
}

export const commitBatch = (server: Reachable, batch: string): Promise<HttpResponse> =>
  send(server, "POST", `${batch}/commit`);

/** The batch in a response. Throws if the response is not a success. */
export function parseBatch(answer: HttpResponse) {
  if (answer.status !== 200) throw new Error(`Batch: ${answer.status} ${answer.text}`);
  const { batch, members = [] } = shownBatch.parse(JSON.parse(answer.text)).data;
  return { ...batch, members };
}
