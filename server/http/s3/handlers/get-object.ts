import type { Authorized } from "../../../domain/callers/authorize.ts";
import type { S3Fault } from "../../../domain/faults/s3-fault.ts";
import { noSuchBucket, noSuchKey } from "../../../domain/faults/s3-fault.ts";
import type { FileRecord } from "../../../domain/records.ts";
import { httpDate } from "../../../semantics/etag.ts";
import { findObjectPlace } from "../../../semantics/s3/object-key.ts";
import { planObject } from "../../../semantics/s3/plan-object.ts";
import { readObjectRequest } from "../read-object-request.ts";
import type { S3Deps } from "../s3-deps.ts";
import { bucketKey, type ObjectInput } from "../s3-input.ts";
import { emptyResponse } from "../s3-response.ts";
import { checkVersion } from "../version-id.ts";
import { expirationHeader } from "./bucket-lifecycle.ts";

/** GetObject and HeadObject. */
export function createGetObject({ send, onSend, now }: Pick<S3Deps, "send" | "onSend" | "now">) {
  const deliver = (file: FileRecord, input: ObjectInput): Promise<Response> | Response => {
    const plan = planObject(
      readObjectRequest(input.headers, input.query, { isSigned: true }),
      file,
      now,
    );
    if (plan.status === 304) {
      onSend(0, input.request, file);
      return new Response(null, plan);
    }
    return send(file, plan, input.request, (current) => deliver(current, input));
  };

  return async (input: ObjectInput<Authorized<"read">>): Promise<Response> => {
    checkVersion(input);
    const place = findObjectPlace(input.bucket, input.objectKey);
    if (place?.isFolder === true) {
      const folder = await input.objects.findFolder(input.caller, place.key);
      if (folder !== undefined) return folderResponse(folder.updatedAt);
    } else if (place !== undefined) {
      const file = await input.objects.find(input.caller, place.key);
      if (file !== undefined) {
        const response = await deliver(file, input);
        if (file.expiresAt === null) return response;
        for (const field of Object.entries(await expirationHeader(input, file))) {
          response.headers.set(...field);
        }
        return response;
      }
    }
    throw await missingObject(input);
  };
}

/** The MD5 of nothing. */
export const EMPTY_ETAG = "d41d8cd98f00b204e9800998ecf8427e";

const folderResponse = (modifiedAt: number): Response =>
  emptyResponse(200, {
    "Content-Type": "application/x-directory",
    "Content-Length": "0",
    ETag: `"${EMPTY_ETAG}"`,
    "Last-Modified": httpDate(modifiedAt),
  });

/** NoSuchKey, or NoSuchBucket. */
export async function missingObject({
  caller,
  objects,
  bucket,
  objectKey,
}: ObjectInput): Promise<S3Fault> {
  const exists = (await objects.bucket(caller, bucketKey(bucket))) !== undefined;
  return exists ? noSuchKey(objectKey) : noSuchBucket(bucket);
}
