import type { Quota } from "../../../../contract/api.ts";
import type { quotaOperations } from "../../../../contract/operations/quotas.ts";
import type { QuotaRecord } from "../../../domain/quotas.ts";
import type { Files } from "../../../files/files.ts";
import { requireChange } from "./files.ts";
import { folderOf, folderSelector } from "./folders.ts";
import type { Handlers } from "./handler.ts";

export function quotaHandlers({
  quotas,
}: Pick<Files, "quotas">): Handlers<keyof typeof quotaOperations> {
  return {
    async readQuotas({ query, caller }) {
      const isAny = Object.values(query).every((value) => value === undefined);
      const found = await quotas.list(caller, isAny ? undefined : folderSelector(query));
      return { quotas: found.map(quotaObject) };
    },

    async setQuota({ body, caller }) {
      const { maxBytes, maxFiles } = body;
      requireChange({ maxBytes, maxFiles });
      const quota = await quotas.set(caller, folderOf(body), {
        ...(maxBytes === undefined ? {} : { maxBytes }),
        ...(maxFiles === undefined ? {} : { maxFiles }),
      });
      return { quota: quota === undefined ? null : quotaObject(quota) };
    },
  };
}

function quotaObject({ folderId, key, ...quota }: QuotaRecord): Quota {
  const { maxBytes, maxFiles, usedBytes, usedFiles } = quota;
  const isExceeded =
    (maxBytes !== null && usedBytes > maxBytes) || (maxFiles !== null && usedFiles > maxFiles);
  return { folder: { id: folderId, key }, maxBytes, maxFiles, usedBytes, usedFiles, isExceeded };
}
