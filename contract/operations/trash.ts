import { z } from "zod";
import { givenFields } from "../audit.ts";
import { emptyTrashBody, restoreTrashBody, undoBody } from "../bodies/trash.ts";
import { defineOperation } from "../define-operation.ts";
import { EXAMPLE_ID, EXAMPLE_UNDO_ID } from "../example.ts";
import { undone } from "../objects/dry-run.ts";
import { restoreResult, trashItem, trashTotals } from "../objects/trash.ts";
import * as queries from "../queries.ts";
import { nextCursor } from "./common.ts";

/** Deleted files and folders that can be restored. */
export const trashOperations = {
  listTrash: defineOperation({
    id: "listTrash",
    method: "GET",
    path: "/api/trash",
    tag: "Trash and versions",
    summary: "List the trash",
    description:
      "The deleted files and folders, latest deletion first. What is in a folder has no entry of its own.",
    access: "caller",
    permission: { actions: ["discard"], places: ["results"] },
    budget: "api",
    query: queries.trashQuery,
    response: {
      data: z.object({
        items: z.array(trashItem),
        totals: trashTotals,
        nextCursor,
      }),
    },
    errors: { 400: "A parameter has an invalid value." },
    audit: null,
    example: {
      query: { limit: "50" },
      sdk: `const { items, totals } = await holdall.trash.list();

for await (const item of holdall.trash.each({ undoId })) {
  console.log(item.key, item.expiresAt);
}`,
    },
  }),
  restoreTrash: defineOperation({
    id: "restoreTrash",
    method: "POST",
    path: "/api/trash/restore",
    tag: "Trash and versions",
    summary: "Restore from the trash",
    description:
      "Puts files and folders back to where they were, with their ids, visibility, URLs and ETags; signed URLs and keys of restored folders work again. Folders that are missing on the way are created. If a name is taken, the restored file or folder gets the next free one, such as `harbour (2).jpg`.",
    access: "caller",
    permission: { actions: ["discard", "write"], places: ["subject"] },
    budget: "api",
    query: queries.dryRunQuery,
    body: { json: restoreTrashBody },
    response: { data: restoreResult },
    errors: {
      400: "Not exactly one of `undoId`, `ids` and `by` is given, `since` is missing, in the future or after `until`, or `ids` is empty or longer than `MAX_DELETE_BATCH`.",
      404: "The trash has nothing of it, or the folder does not exist.",
      410: "`since` is longer ago than `TRASH_DAYS`.",
      413: "The body is larger than 1 MiB, or there are too many deletions for one restore.",
      507: "There is not enough free space on the volume, or in the quota of the folder.",
    },
    codes: ["too_many", "quota_exceeded"],
    audit: {
      after: ({ restored }) => {
        const [first] = restored;
        const [id, name] = [first?.id ?? null, first?.key ?? null];
        return {
          subject: first && { kind: first.kind, id, name },
          detail: { items: restored.length },
        };
      },
    },
    example: {
      body: { undoId: EXAMPLE_UNDO_ID },
      sdk: `const { undoId } = await holdall.files.delete(file.id, {
  trash: true,
});
if (undoId !== null) await holdall.trash.restore({ undoId });

const { restored, failed } =
  await holdall.trash.restore({ ids });`,
    },
  }),
  undoChanges: defineOperation({
    id: "undoChanges",
    method: "POST",
    path: "/api/undo",
    tag: "Trash and versions",
    summary: "Undo what somebody did since a time",
    description:
      "Takes back in one transaction, latest first, what an API key or an account did over whatever API: deletions into the trash, replaced content of which versions were kept, moves, new names, visibility, and metadata. Nothing is overwritten: what others have changed since is left as it is and is in `conflicts`. Uploads of new files stay. Ask with `dryRun` first.",
    access: "caller",
    permission: { actions: ["write", "discard"], places: ["results"] },
    budget: "api",
    query: queries.dryRunQuery,
    body: { json: undoBody },
    response: { data: undone },
    codes: ["too_many", "quota_exceeded"],
    errors: {
      400: "`since` is in the future, or after `until`.",
      403: "The API key lacks the action `write` or `discard`, or others did it and it lacks `admin`.",
      404: "The folder does not exist.",
      410: "`since` is longer ago than `TRASH_DAYS`.",
      413: "There are too many changes for one undo.",
      507: "There is not enough free space on the volume, or in the quota of the folder.",
    },
    audit: {
      before: ({ by, folder, since, until }) => ({
        subject: { kind: "key", id: by },
        detail: givenFields({
          destination: folder,
          since: new Date(since).toISOString(),
          until: until === undefined ? undefined : new Date(until).toISOString(),
        }),
      }),
      after: ({ total, conflicts }) => ({
        detail: { items: total, failed: conflicts.length },
      }),
    },
    example: {
      body: { by: EXAMPLE_ID, since: "2026-01-31 14:00:00", folder: "photos" },
      sdk: `const { total, conflicts } = await holdall.call("undoChanges", {
  body: { by: key.id, since: "2026-01-31 14:00:00" },
});`,
    },
  }),
  emptyTrash: defineOperation({
    id: "emptyTrash",
    method: "DELETE",
    path: "/api/trash",
    tag: "Trash and versions",
    summary: "Delete from the trash permanently",
    description: "Cannot be undone.",
    access: "caller",
    permission: { actions: ["delete"], places: ["subject"] },
    budget: "api",
    query: queries.dryRunQuery,
    body: { json: emptyTrashBody },
    response: {
      data: z.object({
        deleted: z.array(z.string()).meta({ description: "The ids of the items.", example: [] }),
      }),
    },
    errors: {
      400: "Not exactly one of `undoId`, `ids` and `all` is given, or `ids` is empty or longer than `MAX_DELETE_BATCH`.",
      404: "The trash has nothing of it. Not with `all`.",
    },
    audit: {
      before: ({ all }) => ({ detail: all === true ? { all } : {} }),
      after: ({ deleted }) => ({ detail: { items: deleted.length } }),
    },
    example: {
      body: { undoId: EXAMPLE_UNDO_ID },
      sdk: `await holdall.trash.delete({ undoId });

await holdall.trash.delete({ all: true });`,
    },
  }),
};
