import { z } from "zod";
import { clearActivityBody } from "../bodies/activity.ts";
import { defineOperation } from "../define-operation.ts";
import { activityObject } from "../objects/activity.ts";
import { overviewObject } from "../objects/overview.ts";
import * as queries from "../queries.ts";

/** The audit log, storage and traffic. */
export const insightOperations = {
  overview: defineOperation({
    id: "overview",
    method: "GET",
    path: "/api/overview",
    tag: "Insight",
    summary: "Show storage and traffic",
    description:
      "On large instances (about a million files), the counts by type may be up to a minute old. Traffic covers requests for files: hosting URLs, downloads, links (with their pages and uploads) and objects of the S3 API. HEAD, 304 and redirects to the store count as requests without bytes. In `mostRequested`, errors do not count, and zips and versions count for no file. Requests of the dashboard itself do not count. For a key with a folder, `free` is `null`, and `traffic` and the files of `mostRequested` are empty, because they are about the whole instance.",
    access: "caller",
    permission: { actions: ["list"], places: ["results"] },
    budget: "api",
    query: queries.overviewQuery,
    response: { data: overviewObject },
    errors: { 400: "The period is unknown." },
    audit: null,
    example: {
      query: { period: "week" },
      sdk: `const { storage, types, traffic } =
  await holdall.overview({ period: "week" });`,
    },
  }),
  listActivity: defineOperation({
    id: "listActivity",
    method: "GET",
    path: "/api/activity",
    tag: "Insight",
    summary: "List the audit log",
    description:
      "Lists uploads, changes, deletions, signed URLs, API keys, sign-ins and settings, newest first, with who made each request and from which address. Failed requests are included. Entries appear after about a second and are kept for `ACTIVITY_RETENTION_DAYS`. A key with a folder gets the entries about files and folders that are in it now, each with the current key as its subject's `key`. Entries of other callers are without their names and addresses, and `detail` is empty. With `Accept: text/csv` or `application/x-ndjson`, or `format`, all entries that match are sent, without pages; in CSV, texts that spreadsheets would take for formulas begin with an apostrophe.",
    access: "caller",
    permission: { actions: ["admin"], places: ["results"] },
    budget: "api",
    query: queries.activityQuery,
    response: {
      data: z.object({
        activity: z.array(activityObject),
        nextCursor: z.string().nullable().meta({
          description: "The `cursor` of the next page; `null` on the last page.",
          example: null,
        }),
      }),
      tables: ["text/csv", "application/x-ndjson"],
    },
    errors: {
      400: "A parameter is out of range or malformed, or `limit` or `cursor` is given for a table.",
    },
    audit: null,
    example: {
      query: { outcome: "failed", limit: "20" },
      sdk: `const { activity, nextCursor } =
  await holdall.activity.list({ outcome: "failed" });`,
    },
  }),
  clearActivity: defineOperation({
    id: "clearActivity",
    method: "DELETE",
    path: "/api/activity",
    tag: "Insight",
    summary: "Delete entries of the audit log",
    description:
      "Deletes the entries from before a time, or all. The deletion itself is recorded, with the number of entries.",
    access: "caller",
    permission: { actions: ["admin"], places: ["instance"] },
    budget: "api",
    body: { json: clearActivityBody },
    response: {
      data: z.object({
        deleted: z.int().min(0).meta({ description: "Number of deleted entries.", example: 1234 }),
      }),
    },
    errors: { 400: "Neither or both of `before` and `all` are given." },
    audit: {
      before: ({ before }) => ({
        detail: before === undefined ? {} : { before: momentText(before) },
      }),
      after: ({ deleted }) => ({ detail: { entries: deleted } }),
    },
    example: {
      body: { before: "2026-01-31 09:30:00" },
      sdk: `const deleted = await holdall.activity.clear({
  before: new Date("2026-01-31"),
});`,
    },
  }),
};

/** Writes a moment in UTC, as all timestamps of the API. */
const momentText = (millis: number): string =>
  new Date(millis).toISOString().slice(0, 19).replace("T", " ");
