import type { Quota } from "../../../../contract/api.ts";
import type { quotaOperations } from "../../../../contract/operations/quotas.ts";
import type { QuotaRecord } from "../../../domain/quotas.ts";
import type { Files } from "../../../files/files.ts";
import { requireChange } from "./files.ts";
import { folderOf, folderSelector } from "./folders.ts";
import type { Handlers } from "./handler.ts";

export function quotaHandlers({
  quotas,
  look,
}: Pick<Files, "quotas" | "look">): Handlers<keyof typeof quotaOperations> {
  return {
    async readQuotas({ query, caller, authorize }) {
      const isAny = Object.values(query).every((value) => value === undefined);
      const selector = isAny ? undefined : folderSelector(query);
      const reader = await authorize(selector && (() => look.folder(caller, selector)));
      const found = await quotas.list(reader, selector);
      return { quotas: found.map(quotaObject) };
    },

    async setQuota({ body, authorize }) {
      const { maxBytes, maxFiles } = body;
      requireChange({ maxBytes, maxFiles });
      const quota = await quotas.set(await authorize(), folderOf(body), {
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
