import { z } from "zod";
import { emptyTrashBody, restoreTrashBody } from "../bodies/trash.ts";
import { defineOperation } from "../define-operation.ts";
import { EXAMPLE_UNDO_ID } from "../example.ts";
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
    permission: { actions: ["delete"], places: ["results"] },
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
    permission: { actions: ["delete", "write"], places: ["subject"] },
    budget: "api",
    body: { json: restoreTrashBody },
    response: { data: restoreResult },
    codes: ["quota_exceeded"],
    errors: {
      400: "Neither or both of `undoId` and `ids` are given, or `ids` is empty or longer than `MAX_DELETE_BATCH`.",
      404: "The trash has nothing of it.",
      507: "There is not enough free space on the volume, or in the quota of the folder.",
    },
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
