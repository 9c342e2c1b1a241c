import type { Millis } from "../../domain/records.ts";
import type { BlobLeasesTable, CondemnedTable, HoldsTable } from "../tables/blobs.ts";
import type { ChangesTable } from "../tables/changes.ts";
import type {
  AccountsTable,
  ApiKeysTable,
  PasskeysTable,
  SessionsTable,
  UsedChallengesTable,
} from "../tables/credentials.ts";
import type { ActivityTable, CountersTable } from "../tables/insight.ts";
import type { LinksTable } from "../tables/links.ts";
import type { MultipartPartsTable, MultipartUploadsTable } from "../tables/multiparts.ts";
import type { GrantsTable, IdentitiesTable, InvitesTable } from "../tables/people.ts";
import type { QuotasTable } from "../tables/quotas.ts";
import type { TrashDeletionsTable, TrashFoldersTable, TrashItemsTable } from "../tables/trash.ts";
import type { FilesTable, FoldersTable, VersionsTable } from "../tables/tree.ts";
import type { FormerKeysTable, UndoStepsTable } from "../tables/undo.ts";
import type {
  BatchesTable,
  BatchFoldersTable,
  BatchMembersTable,
  FetchesTable,
  UploadsTable,
} from "../tables/uploads.ts";
import type { DeliveriesTable, WebhooksTable } from "../tables/webhooks.ts";

/*
 * All tables, the same on both engines. Text compares by bytes. Ids of files and folders begin with
 * the time of their creation (UUIDv7), so their order is the order of creation.
 */

export interface Schema {
  folders: FoldersTable;
  files: FilesTable;
  blob_leases: BlobLeasesTable;
  condemned: CondemnedTable;
  uploads: UploadsTable;
  batches: BatchesTable;
  batch_members: BatchMembersTable;
  batch_folders: BatchFoldersTable;
  multipart_uploads: MultipartUploadsTable;
  multipart_parts: MultipartPartsTable;
  holds: HoldsTable;
  api_keys: ApiKeysTable;
  accounts: AccountsTable;
  sessions: SessionsTable;
  passkeys: PasskeysTable;
  used_challenges: UsedChallengesTable;
  identities: IdentitiesTable;
  grants: GrantsTable;
  invites: InvitesTable;
  settings: SettingsTable;
  activity: ActivityTable;
  counters: CountersTable;
  trash_deletions: TrashDeletionsTable;
  trash_items: TrashItemsTable;
  trash_folders: TrashFoldersTable;
  versions: VersionsTable;
  links: LinksTable;
  quotas: QuotasTable;
  webhooks: WebhooksTable;
  deliveries: DeliveriesTable;
  fetches: FetchesTable;
  changes: ChangesTable;
  undo_steps: UndoStepsTable;
  former_keys: FormerKeysTable;
  migrations: MigrationsTable;
}

interface SettingsTable {
  name: string;
  value: string;
}

interface MigrationsTable {
  version: number;
  applied_at: Millis;
}
