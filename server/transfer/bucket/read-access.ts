import { findElement, readXml, textIn } from "../../blobs/s3/xml.ts";
import { childrenOf } from "../../runtime/xml.ts";
import type { ObjectAccess } from "./source-bucket.ts";

const EVERYONE = "http://acs.amazonaws.com/groups/global/AllUsers";

/** Reads the ACL of an object. */
export function readAccess(document: string): ObjectAccess {
  const acl = readXml(document);
  const list = findElement(acl, "AccessControlList");
  const grants = list === undefined ? [] : childrenOf(list, "Grant");
  const ownerId = textIn(findElement(acl, "Owner"), "ID");
  const read = grants.map((grant) => {
    const grantee = findElement(grant, "Grantee");
    const isEveryone = textIn(grantee, "URI") === EVERYONE;
    const isOwner = textIn(grantee, "URI") === "" && textIn(grantee, "ID") === ownerId;
    return { isEveryone, isOwner, permission: textIn(grant, "Permission") };
  });
  const isPublic = read.some(
    ({ isEveryone, permission }) => isEveryone && ["READ", "FULL_CONTROL"].includes(permission),
  );
  const hasOthers = read.some(
    ({ isEveryone, isOwner, permission }) => !isOwner && !(isEveryone && permission === "READ"),
  );
  const losses = hasOthers
    ? ["rights in its ACL were not carried: only that of everyone to read it has a counterpart"]
    : [];
  return { isPublic, losses };
}
