import type { HttpResponse } from "../../test/http-response.ts";
import { elementsOf, expectStatus, type S3Client } from "./s3-client.ts";

/** Where a multipart upload is. */
export interface UploadRef {
  readonly key: string;
  readonly id: string;
}

/** ETags by number. */
export type Parts = ReadonlyMap<number, string>;

export async function createMultipart(s3: S3Client, key: string): Promise<UploadRef> {
  const answer = expectStatus(await s3.send("POST", key, { query: "uploads=" }), 200);
  const [id = ""] = elementsOf(answer, "UploadId");
  return { key, id };
}

export const uploadPart = (
  s3: S3Client,
  { key, id }: UploadRef,
  number: number,
  body: Uint8Array,
): Promise<HttpResponse> =>
  s3.send("PUT", key, { query: `partNumber=${number}&uploadId=${id}`, body });

/** undefined: there is no such upload. */
export async function listParts(s3: S3Client, { key, id }: UploadRef): Promise<Parts | undefined> {
  const answer = await s3.send("GET", key, { query: `uploadId=${id}` });
  if (answer.status === 404) return undefined;
  const etags = elementsOf(expectStatus(answer, 200), "ETag");
  const numbers = elementsOf(answer, "PartNumber").map(Number);
  return new Map(numbers.map((number, at) => [number, etags[at] ?? ""]));
}

export function completeMultipart(
  s3: S3Client,
  { key, id }: UploadRef,
  parts: Parts,
  headers: Readonly<Record<string, string>> = {},
): Promise<HttpResponse> {
  const chosen = [...parts].map(
    ([number, etag]) => `<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag></Part>`,
  );
  const body = `<CompleteMultipartUpload>${chosen.join("")}</CompleteMultipartUpload>`;
  return s3.send("POST", key, { query: `uploadId=${id}`, headers, body });
}

export const abortMultipart = (s3: S3Client, { key, id }: UploadRef): Promise<HttpResponse> =>
  s3.send("DELETE", key, { query: `uploadId=${id}` });

/** Deletes objects of one bucket, without the bucket in their keys. */
export function deleteObjects(
  s3: S3Client,
  bucket: string,
  keys: readonly string[],
): Promise<HttpResponse> {
  const objects = keys.map((key) => `<Object><Key>${key}</Key></Object>`);
  const body = `<Delete>${objects.join("")}</Delete>`;
  const md5 = new Bun.CryptoHasher("md5").update(body).digest("base64");
  return s3.send("POST", bucket, { query: "delete=", headers: { "content-md5": md5 }, body });
}
