import { Fault } from "../../domain/fault.ts";
import type { Name } from "../../domain/records.ts";
import { objectEtag } from "../../semantics/s3/object-etag.ts";
import { type Param, prepared } from "../engine/prepared-statement.ts";
import type { Tx } from "../engine/tx.ts";
import type { ExpectedObject } from "../port/objects.ts";

/**
 * Faults: "not_found": an object must be there, but is not; "precondition_failed": there is one, or it
 * has another ETag. The folder must be locked.
 */
export async function requireExpected(
  tx: Tx,
  { folderId, name }: { readonly folderId: string; readonly name: Name },
  expect: ExpectedObject | undefined,
): Promise<void> {
  if (expect === undefined) return;
  const object = await tx.first(selectContent, { folderId, name });
  checkExpected(object && objectEtag(object), expect);
}

/** The same for the ETag of an object that was read; undefined: there is none. */
export function checkExpected(etag: string | undefined, expect: ExpectedObject): void {
  if (expect === "absent") {
    if (etag !== undefined) throw notMet("There is an object with this key already.");
  } else if (etag === undefined) throw new Fault("not_found", "There is no object with this key.");
  else if (expect !== "present" && etag !== expect.etag) {
    throw notMet("The object has another ETag.");
  }
}

const notMet = (message: string): Fault => new Fault("precondition_failed", message);

const selectContent = prepared((db, param: Param<{ folderId: string; name: Name }>) =>
  db
    .selectFrom("files")
    .select(["blob_id as blobId", "s3"])
    .where("folder_id", "=", param("folderId"))
    .where("name", "=", param("name")),
);
