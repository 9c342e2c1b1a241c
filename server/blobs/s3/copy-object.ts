import type { S3Client } from "./s3-client.ts";
import { S3Error } from "./s3-error.ts";
import type { Multiparts } from "./s3-multipart.ts";
import type { S3Objects } from "./s3-objects.ts";
import { keyPath } from "./s3-settings.ts";
import { textOf } from "./xml.ts";

export interface CopyParts {
  readonly client: S3Client;
  readonly objects: S3Objects;
  readonly multiparts: Multiparts;
}

/** S3's limit for a single copy request. */
const MAX_SINGLE_COPY = 5 * 1024 ** 3;
const PART = 1024 ** 3;

/** Copies an object of `size` bytes on the server side, within the bucket. Throws S3Error. */
export async function copyObject(
  { client, objects, multiparts }: CopyParts,
  from: string,
  to: string,
  size: number,
  maxSingleCopy = MAX_SINGLE_COPY,
  part = PART,
): Promise<void> {
  const source = `/${client.bucket}/${keyPath(from)}`;
  if (size <= maxSingleCopy) {
    await etagOfCopy(
      client.send({ method: "PUT", key: to, headers: { "X-Amz-Copy-Source": source } }),
    );
  } else {
    const { multipart } = await multiparts.start(to);
    try {
      const tags: string[] = [];
      for (let start = 0; start < size; start += part) {
        const end = Math.min(start + part, size);
        const headers = {
          "X-Amz-Copy-Source": source,
          "X-Amz-Copy-Source-Range": `bytes=${start}-${end - 1}`,
        };
        const query = { partNumber: String(tags.length + 1), uploadId: multipart.uploadId };
        tags.push(await etagOfCopy(client.send({ method: "PUT", key: to, query, headers })));
      }
      await multipart.complete(tags, size);
    } catch (error) {
      await multiparts.abort({ key: to, uploadId: multipart.uploadId }).catch(() => {});
      throw error;
    }
  }
  if ((await objects.sizeOf(to)) !== size)
    throw new S3Error(500, "", `PUT ${to}: the copy has another size`);
}

/** Resolves with the ETag of the copy. S3 may respond 200 and then report an error in the body. */
async function etagOfCopy(response: Promise<{ readonly text: string }>): Promise<string> {
  const { text } = await response;
  const tag = textOf(text, "ETag");
  if (tag === "") throw new S3Error(500, textOf(text, "Code"), `Copying: ${textOf(text, "Code")}`);
  return tag;
}
