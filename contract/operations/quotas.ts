import { z } from "zod";
import { givenFields, subjectBy } from "../audit.ts";
import { setQuotaBody } from "../bodies/quotas.ts";
import { defineOperation } from "../define-operation.ts";
import { quotaObject } from "../objects/quotas.ts";
import * as queries from "../queries.ts";

/** How much the folders directly below the root may contain. */
export const quotaOperations = {
  readQuotas: defineOperation({
    id: "readQuotas",
    method: "GET",
    path: "/api/folders/quota",
    tag: "Folders",
    summary: "Show quotas and what is used of them",
    description:
      "Lists the quotas of folders, by key. With `id` or `key`, only the quota that the content of this folder counts for, if there is one: its own, or that of the folder directly below the root that contains it.",
    access: "caller",
    permission: { actions: ["list"], places: ["subject", "results"] },
    budget: "api",
    query: queries.quotasQuery,
    response: { data: z.object({ quotas: z.array(quotaObject) }) },
    errors: { 400: "More than one selector is given.", 404: "The folder does not exist." },
    audit: null,
    example: {
      query: { key: "photos/2026" },
      sdk: `import { quotasOf } from "@holdall/sdk/quotas";

const [quota] = await quotasOf(holdall).list({ key: "photos/2026" });
quota?.usedBytes;

const all = await quotasOf(holdall).list();`,
    },
  }),
  setQuota: defineOperation({
    id: "setQuota",
    method: "PUT",
    path: "/api/folders/quota",
    tag: "Folders",
    summary: "Set or remove the quota of a folder",
    description:
      "Limits what a folder directly below the root may contain, with its trash and earlier versions. A limit that is not given stays; without any, the quota ends. From then on, everything that stores more in the folder than it allows gets 507 with the code `quota_exceeded`. A limit below what is there is allowed: nothing is deleted, and additions are refused (`isExceeded`). The response may take long for large folders, as their content is counted first.",
    access: "caller",
    permission: { actions: ["admin"], places: ["instance"] },
    budget: "api",
    body: { json: setQuotaBody },
    response: {
      data: z.object({
        quota: quotaObject.nullable().meta({ description: "`null`: there is none any more." }),
      }),
    },
    errors: {
      400: "Not exactly one of `id` and `key` is given, no limit is given, a limit is no whole number of at least 0, or the folder is not directly below the root.",
      404: "The folder does not exist.",
    },
    audit: {
      before: ({ id, key, folder, ...limits }) => ({
        subject: subjectBy("folder", { id, key: key ?? folder }),
        detail: givenFields(limits),
      }),
    },
    example: {
      body: { key: "photos", maxBytes: 10_737_418_240 },
      sdk: `import { quotasOf } from "@holdall/sdk/quotas";

const quota = await quotasOf(holdall).set(
  { key: "photos" },
  { maxBytes: 10 * 1024 ** 3 },
);

await quotasOf(holdall).set(
  { key: "photos" },
  { maxBytes: null, maxFiles: null }, // removes it
);`,
    },
  }),
};
