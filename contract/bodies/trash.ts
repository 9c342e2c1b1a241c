import { z } from "zod";
import { EXAMPLE_ID } from "../example.ts";
import { moment } from "../moment.ts";
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

/** Whose changes of when and where. */
const period = {
  since: moment.optional().meta({
    description: "With `by`: from this time on, at most `TRASH_DAYS` ago. UTC, or ISO 8601.",
    override: { type: "string", format: "date-time" },
  }),
  until: moment.optional().meta({
    description: "Until this time. Default: now.",
    override: { type: "string", format: "date-time" },
  }),
  folder: text("the key of a folder").optional().meta({
    description: "Only in this folder, at any depth. Default: everywhere.",
    example: "photos",
  }),
};

const BY =
  "The id of an API key or an account. The key also stands for all keys that it has made. Only `admin` may name other keys and accounts than the caller and the keys that it has made.";

export const restoreTrashBody = z
  .object({
    ...selection,
    by: text("the id of an API key or an account")
      .optional()
      .meta({ description: `With \`since\`: everything that it moved to the trash. ${BY}` }),
    ...period,
  })
  .meta({
    oneOf: [{ required: ["undoId"] }, { required: ["ids"] }, { required: ["by", "since"] }],
  });

export const undoBody = z.object({
  ...dryRun,
  by: text("the id of an API key or an account").meta({ description: BY, example: EXAMPLE_ID }),
  ...period,
  since: period.since.unwrap().meta({
    description: "From this time on, at most `TRASH_DAYS` ago. UTC, or ISO 8601.",
    override: { type: "string", format: "date-time" },
    example: "2026-01-31T14:00:00Z",
  }),
});

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
