import { z } from "zod";
import { text } from "../text.ts";
import {
  changes,
  dryRun,
  expiresIn,
  onConflict,
  oneId,
  oneKey,
  oneOrMore,
  targetKey,
} from "./common.ts";
import { trash } from "./trash.ts";

/** A hundred years. */
const MAX_EXPIRE_AFTER = 3_153_600_000;
const EXPIRE_AFTER = `must be a whole number of seconds of at most ${MAX_EXPIRE_AFTER}, or null`;

export const oneFolder = {
  id: oneId("a folder").optional().meta({ description: "The folder's id." }),
  key: oneKey("a folder").optional().meta({ description: "The folder's key, instead of its id." }),
  folder: oneKey("a folder").optional().meta({ description: "Alias of `key`." }),
};

export const changeFolderBody = z
  .object({
    ...dryRun,
    ...oneFolder,
    ...changes,
    parentId: oneId("a folder")
      .optional()
      .meta({ description: "The id of the folder to move it to." }),
    parent: targetKey("parentId", "move it to"),
    defaultVisibility: z
      .enum(["public", "private"], { error: "must be `public`, `private` or null" })
      .nullable()
      .optional()
      .meta({
        description:
          "Of later uploads to the folder and its subfolders that name no visibility. `null`: that of the parent folder again.",
      }),
    expireAfter: z
      .int({ error: EXPIRE_AFTER })
      .min(0, { error: EXPIRE_AFTER })
      .max(MAX_EXPIRE_AFTER, { error: EXPIRE_AFTER })
      .nullable()
      .optional()
      .meta({
        description:
          "Seconds after which later uploads to the folder and its subfolders end that say nothing else; needs the action `delete`. `0`: never. `null`: as in the parent folder again.",
        example: 604800,
      }),
    onConflict: z
      .enum(["refuse", "keepBoth", "skip"], { error: "must be `refuse`, `keepBoth` or `skip`" })
      .optional()
      .meta({
        description:
          "What to do if the new name is already taken in the parent folder. `refuse` (default): respond 409. `keepBoth`: name the folder `name (2)`, with the first free number. `skip`: leave the folder as it is.",
        example: "keepBoth",
      }),
  })
  .meta(oneOrMore("name", "visibility", "parentId", "parent", "defaultVisibility", "expireAfter"));

export const copyFolderBody = z.object({
  ...dryRun,
  ...oneFolder,
  parentId: oneId("a folder").optional().meta({
    description: "The id of the folder to copy it into. Default: its parent.",
  }),
  parent: targetKey("parentId", "copy it into"),
  name: text("a string").optional().meta({
    description: "The name of the copy: a single path segment. Default: the same.",
  }),
  onConflict: onConflict.optional().meta({
    description:
      "What to do if the name is already taken in the parent folder. `refuse` (default): respond 409 and copy nothing. `keepBoth`: name the copy `name (2)`, with the first free number. `replace` and `skip`: copy into the existing folder, and replace or keep the files there whose names are taken; if a file has the folder's name, respond 409.",
    example: "keepBoth",
  }),
});

export const deleteFolderBody = z.object({
  ...dryRun,
  ...oneFolder,
  trash,
});

export const signFolderBody = z.object({ ...oneFolder, expiresIn });

export const createFolderBody = z.object({
  ...dryRun,
  folder: text("the path of the new folder").meta({
    description: "Path relative to the root. Missing parent folders are created.",
    example: "photos/2026",
  }),
});
