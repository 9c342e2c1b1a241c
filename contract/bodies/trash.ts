import { z } from "zod";
import { required, text } from "../text.ts";
import { dryRun } from "./common.ts";

const ids = (of: string) =>
  z
    .array(text(`the id of ${of}, as a string`), { error: required("a list of ids") })
    .optional()
    .meta({ description: `The ids of 1 to \`MAX_DELETE_BATCH\` of them.` });

/** Whether a deletion moves to the trash. */
export const trash = z.boolean({ error: "must be true or false" }).optional().meta({
  description:
    "`true`: moves to the trash, and the response has an `undoId`. `false`: deletes permanently. Default: the setting `trashDeletions`.",
});

const selection = {
  ...dryRun,
  undoId: text("the `undoId` of a deletion")
    .optional()
    .meta({ description: "Everything that this deletion moved to the trash." }),
  ids: ids("a file or folder"),
};

export const restoreTrashBody = z
  .object(selection)
  .meta({ oneOf: [{ required: ["undoId"] }, { required: ["ids"] }] });

export const emptyTrashBody = z
  .object({
    ...selection,
    all: z
      .literal(true, { error: "must be true or omitted" })
      .optional()
      .meta({ description: "Everything in the trash that the caller may see." }),
  })
  .meta({ oneOf: [{ required: ["undoId"] }, { required: ["ids"] }, { required: ["all"] }] });

export const restoreVersionBody = z.object({
  ...dryRun,
  id: text("the id of a version").meta({ description: "The version's id." }),
});

export const deleteVersionsBody = z
  .object({
    ...dryRun,
    id: text("the id of a version").optional().meta({ description: "The id of a single version." }),
    ids: ids("a version"),
  })
  .meta({ oneOf: [{ required: ["id"] }, { required: ["ids"] }] });
