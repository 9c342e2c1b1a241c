import type { ExpressionBuilder, Kysely } from "kysely";
import { sql } from "kysely";
import {
  GRANT_ACTIONS,
  type GrantRecord,
  type InvitedGrant,
  type InviteRecord,
} from "../../domain/accounts.ts";
import type { Key, Role } from "../../domain/records.ts";
import type { Schema } from "../engine/schema.ts";
import { isKept, isLive } from "../records/outside-tree.ts";

/** The grants of folders that were not destroyed, each to be read by `toGrant`. */
export const selectGrants = (db: Kysely<Schema>) =>
  db
    .selectFrom("grants")
    .innerJoin("folders", "folders.id", "grants.folder_id")
    .select([
      "grants.id",
      "grants.account_id as accountId",
      "grants.group_name as group",
      "grants.folder_id as folderId",
      sql<Key | null>`case when ${isLive} then folders.key end`.as("folderKey"),
      "grants.actions",
      "grants.created_at as createdAt",
    ])
    .where(isKept)
    .orderBy("grants.id");

/** Whether a grant is for the account, or for one of the groups. */
export const isOfMember =
  (accountId: string, groups: readonly string[]) =>
  ({ eb, or }: ExpressionBuilder<Schema, "grants">) =>
    or([
      eb("grants.account_id", "=", accountId),
      ...(groups.length === 0 ? [] : [eb("grants.group_name", "in", groups)]),
    ]);

interface GrantRow
  extends Pick<GrantRecord, "id" | "folderId" | "folderKey" | "createdAt" | "accountId" | "group"> {
  readonly actions: string;
}

export function toGrant({ accountId, group, actions, ...grant }: GrantRow): GrantRecord {
  const names: readonly string[] = actions.split(",");
  const grantee =
    accountId === null ? { accountId, group: group ?? "" } : { accountId, group: null };
  return {
    ...grant,
    ...grantee,
    actions: GRANT_ACTIONS.filter((action) => names.includes(action)),
  };
}

export const selectInvites = (db: Kysely<Schema>) =>
  db
    .selectFrom("invites")
    .select([
      "id",
      "role",
      "grants",
      "maker_id as makerId",
      "maker_name as makerName",
      "created_at as createdAt",
      "expires_at as expiresAt",
    ]);

interface InviteRow extends Omit<InviteRecord, "grants"> {
  readonly role: Role;
  readonly grants: string;
}

export function toInvite({ grants, ...invite }: InviteRow): InviteRecord {
  const parsed: InvitedGrant[] = JSON.parse(grants);
  return { ...invite, grants: parsed };
}
