import { S3Fault } from "../../domain/faults/s3-fault.ts";
import type { S3Query } from "./s3-query.ts";

/** The id of the only version of every object: the server keeps no others. */
export const VERSION_ID = "null";

/** S3Fault "NoSuchVersion": the request is about another version than the only one. */
export function checkVersion({ query }: { readonly query: Pick<S3Query, "get"> }): void {
  const version = query.get("versionId");
  if (version === undefined || version === VERSION_ID) return;
  throw new S3Fault("NoSuchVersion", "The server keeps no versions of objects.");
}
