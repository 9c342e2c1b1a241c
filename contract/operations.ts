import type { Operation } from "./operation.ts";
import { accountOperations } from "./operations/account.ts";
import { accountsOperations, inviteOperations } from "./operations/accounts.ts";
import { batchOperations } from "./operations/batches.ts";
import { changeOperations } from "./operations/changes.ts";
import { downloadOperations } from "./operations/downloads.ts";
import { fetchOperations } from "./operations/fetches.ts";
import { fileChangeOperations } from "./operations/file-changes.ts";
import { fileContentOperations } from "./operations/file-content.ts";
import { fileOperations } from "./operations/files.ts";
import { folderOperations } from "./operations/folders.ts";
import { grantOperations } from "./operations/grants.ts";
import { healthOperations } from "./operations/health.ts";
import { insightOperations } from "./operations/insight.ts";
import { keyOperations } from "./operations/keys.ts";
import { linkOperations } from "./operations/links.ts";
import { quotaOperations } from "./operations/quotas.ts";
import { searchOperations } from "./operations/search.ts";
import { serviceOperations } from "./operations/service.ts";
import { settingsOperations } from "./operations/settings.ts";
import { trashOperations } from "./operations/trash.ts";
import { uploadOperations } from "./operations/uploads.ts";
import { versionOperations } from "./operations/versions.ts";
import { webhookOperations } from "./operations/webhooks.ts";

/** Every operation of the service, by its id. */
export const operations = {
  ...fileOperations,
  ...fileContentOperations,
  ...fileChangeOperations,
  ...fetchOperations,
  ...downloadOperations,
  ...uploadOperations,
  ...batchOperations,
  ...folderOperations,
  ...quotaOperations,
  ...trashOperations,
  ...versionOperations,
  ...searchOperations,
  ...changeOperations,
  ...linkOperations,
  ...webhookOperations,
  ...keyOperations,
  ...accountOperations,
  ...accountsOperations,
  ...inviteOperations,
  ...grantOperations,
  ...insightOperations,
  ...settingsOperations,
  ...serviceOperations,
  ...healthOperations,
} satisfies Record<string, Operation>;

export type Operations = typeof operations;
export type OperationId = keyof Operations;
