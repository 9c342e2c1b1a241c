import type { TrashItem } from "../../../contract/types/trash.ts";
import type { FileVersion } from "../../../contract/types/versions.ts";
import type { Caller } from "../../access/authenticate.ts";
import type { Actor } from "../../domain/activity.ts";
import { isUnlimited, type Scope } from "../../domain/scope.ts";
import { timestamp } from "../../domain/timestamp.ts";
import type { TrashRecord, VersionRecord } from "../../domain/trash.ts";

/* The trash and versions as API objects, with exactly the fields of the contract. */

export function trashObject(
  item: TrashRecord,
  scope: Scope,
  caller: Caller | undefined,
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
    deletedBy: nameOf(item.deletedBy, scope, caller),
    expiresAt: timestamp(item.expiresAt),
  };
}

export function versionObject(
  version: VersionRecord,
  scope: Scope,
  caller: Caller | undefined,
): FileVersion {
  return {
    id: version.id,
    size: version.size,
    mimeType: version.mimeType,
    sha256: version.sha256,
    modifiedAt: timestamp(version.modifiedAt),
    replacedAt: timestamp(version.replacedAt),
    expiresAt: timestamp(version.expiresAt),
    replacedBy: nameOf(version.replacedBy, scope, caller),
  };
}

/** Only callers without limits learn the names of other API keys and of accounts. */
function nameOf(
  { kind, id, name }: Actor,
  scope: Scope,
  caller: Caller | undefined,
): string | null {
  const isCaller = kind === "key" && caller?.kind === "key" && caller.key.id === id;
  return isCaller || isUnlimited(scope) ? name : null;
}
