import type { S3Client } from "./s3-client.ts";
import { S3Error } from "./s3-error.ts";
import { etagOfCopy, type Multiparts } from "./s3-multipart.ts";
import type { S3Objects } from "./s3-objects.ts";
import { keyPath } from "./s3-settings.ts";

export interface CopyDeps {
  readonly client: S3Client;
  readonly objects: S3Objects;
  readonly multiparts: Multiparts;
}

/** S3's limit for a single copy request. */
const MAX_SINGLE_COPY = 5 * 1024 ** 3;
const PART = 1024 ** 3;

/** Copies an object of `size` bytes on the server side, within the bucket. Throws S3Error. */
export async function copyObject(
  { client, objects, multiparts }: CopyDeps,
  from: string,
  to: string,
  size: number,
): Promise<void> {
  const source = `/${client.bucket}/${keyPath(from)}`;
  if (size <= MAX_SINGLE_COPY) {
    await etagOfCopy(
      client.send({
        method: "PUT",
        key: to,
        headers: { "X-Amz-Copy-Source": source },
        isLong: true,
      }),
    );
  } else {
    const { multipart } = await multiparts.start(to);
    try {
      const tags: string[] = [];
      for (let start = 0; start < size; start += PART) {
        const end = Math.min(start + PART, size);
        tags.push(await multipart.copy(tags.length + 1, from, { start, end }));
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
