import { isBucketName } from "../../../contract/text/bucket-name.ts";
import { SYSTEM } from "../../domain/callers/caller.ts";
import { S3Fault } from "../../domain/faults/s3-fault.ts";
import { tryParseName } from "../../domain/names/name.ts";
import type { FileRecord, Key } from "../../domain/records.ts";
import { findObjectPlace } from "../../semantics/s3/object-key.ts";
import { planObject } from "../../semantics/s3/plan-object.ts";
import { SUBRESOURCES } from "../../semantics/s3-signature/subresources.ts";
import type { Server } from "../connection/route.ts";
import { readObjectRequest } from "./read-object-request.ts";
import { readPublicBucket } from "./read-public-bucket.ts";
import type { S3Deps } from "./s3-deps.ts";
import type { S3Query } from "./s3-query.ts";
import { isRead, type S3Target } from "./s3-target.ts";

/**
 * The response to a request without a signature: a public object, what the settings of a bucket let everyone
 * know, or the S3Fault "AccessDenied", whatever exists.
 */
export function createReadPublicObject({
  files,
  objects,
  gate,
  send,
  onSend,
  now,
}: Pick<S3Deps, "files" | "objects" | "gate" | "send" | "onSend" | "now">) {
  return async (
    request: Request,
    server: Server,
    target: S3Target,
    query: S3Query,
  ): Promise<Response> => {
    const { bucket } = target;
    if (target.key === undefined && bucket !== undefined) {
      const read = () => readPublicBucket(objects, request, bucket, query);
      const response = await gate.inTurn(request, server, read);
      if (response === undefined) throw accessDenied();
      return response;
    }
    const key = placeOf(target);
    const file =
      key === undefined || !isRead(request.method)
        ? undefined
        : await files.look.fileAt(SYSTEM, key);
    if (file?.visibility !== "public" || !isOfContent(query)) throw accessDenied();
    const wanted = readObjectRequest(request.headers, query, { isSigned: false });
    const deliver = async (current: FileRecord): Promise<Response> => {
      const plan = planObject(wanted, current, now);
      if (plan.status === 304) {
        onSend(0, request, current);
        return new Response(null, plan);
      }
      return send(current, plan, request, deliver);
    };
    return deliver(file);
  };
}

/** Its ACL, tags and the like, and versions that there are none of, need a signature. */
const isOfContent = (query: S3Query): boolean =>
  !SUBRESOURCES.some((name) => query.has(name)) && (query.get("versionId") ?? "null") === "null";

function placeOf({ bucket = "", key }: S3Target): Key | undefined {
  const name = isBucketName(bucket) ? tryParseName(bucket) : undefined;
  if (name === undefined || key === undefined) return undefined;
  const place = findObjectPlace(name, key);
  return place?.isFolder === false ? place.key : undefined;
}

const accessDenied = (): S3Fault =>
  new S3Fault("AccessDenied", "Access denied: the request has no signature.");
