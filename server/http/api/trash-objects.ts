import type { FileVersion, TrashItem } from "../../../contract/api.ts";
import { actorOf, type Identity } from "../../access/authenticate.ts";
import type { Actor } from "../../domain/activity.ts";
import type { Caller } from "../../domain/callers/caller.ts";
import { isUnlimited } from "../../domain/callers/scope.ts";
import { timestamp } from "../../domain/timestamp.ts";
import type { TrashRecord, VersionRecord } from "../../domain/trash.ts";

/* The trash and versions as API objects, with exactly the fields of the contract. */

export function trashObject(
  item: TrashRecord,
  caller: Pick<Caller, "scope">,
  identity: Identity | undefined,
): TrashItem {
  const isFile = item.kind === "file";
  return {
    id: item.id,
    kind: item.kind,
    name: item.name,
    key: item.key,
    size: isFile ? item.file.size : item.bytes,
    files: isFile ? null : item.files,
    visibility: isFile ? item.file.visibility : null,
    mimeType: isFile ? item.file.mimeType : null,
    undoId: item.undoId,
    deletedAt: timestamp(item.deletedAt),
    deletedBy: nameOf(item.deletedBy, caller, identity),
    expiresAt: timestamp(item.expiresAt),
  };
}

export function versionObject(
  version: VersionRecord,
  caller: Pick<Caller, "scope">,
  identity: Identity | undefined,
): FileVersion {
  return {
    id: version.id,
    size: version.size,
    mimeType: version.mimeType,
    sha256: version.sha256,
    modifiedAt: timestamp(version.modifiedAt),
    replacedAt: timestamp(version.replacedAt),
    expiresAt: timestamp(version.expiresAt),
    replacedBy: nameOf(version.replacedBy, caller, identity),
  };
}

/** Only callers without limits learn the names of other API keys and of accounts. */
function nameOf(
  { kind, id, name }: Actor,
  caller: Pick<Caller, "scope">,
  identity: Identity | undefined,
): string | null {
  const self = actorOf(identity);
  const isCaller = id !== null && self.kind === kind && self.id === id;
  return isCaller || isUnlimited(caller.scope) ? name : null;
}
