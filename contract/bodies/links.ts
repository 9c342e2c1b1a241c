import { z } from "zod";
import { moment } from "../moment.ts";
import { required, text } from "../text.ts";
import { exactlyOne, laterLifetime, oneKey } from "./common.ts";

const TITLE = "must be a title of 1 to 200 characters, or null";

const PASSWORD = "must be a password of 1 to 256 characters, or null";

const count = (what: string, description: string, example: number) => {
  const error = `must be a whole number of ${what} of at least 1, or null`;
  return z.int({ error }).min(1, { error }).nullish().meta({ description, example });
};

const options = {
  title: z
    .string({ error: TITLE })
    .trim()
    .min(1, { error: TITLE })
    .max(200, { error: TITLE })
    .nullish()
    .meta({
      description: "Shown to visitors in place of the name of the file or folder.",
      example: "Summer at the harbour",
    }),
  password: z
    .string({ error: PASSWORD })
    .min(1, { error: PASSWORD })
    .max(256, { error: PASSWORD })
    .nullish()
    .meta({ description: "Visitors need it. `null`: they need none.", example: "gull & tide" }),
  expiresAt: moment.nullish().meta({
    description: "When the link ends: UTC, or ISO 8601. `null`: never.",
    override: { type: ["string", "null"], format: "date-time" },
  }),
  expiresIn: z
    .number({ error: "must be a number of seconds of at least 1" })
    .min(1, { error: "must be a number of seconds of at least 1" })
    .max(3_153_600_000, { error: "must be at most 100 years, in seconds" })
    .optional()
    .meta({
      description: "Seconds until the link ends, instead of `expiresAt`.",
      example: 604800,
    }),
  deleteAtEnd: z.boolean({ error: "must be true or false" }).optional().meta({
    description:
      "Whether the file or folder moves to the trash when the link expires. A key needs the action `delete`.",
  }),
  ...laterLifetime,
  uses: count(
    "visits",
    "How many visits the link is good for from now on. `null`: any number.",
    10,
  ),
  downloadOnly: z.boolean({ error: "must be true or false" }).optional().meta({
    description: "Whether visitors get files as downloads only, without previews. Default: false.",
  }),
  maxBytes: count(
    "bytes",
    "Of a drop link: the most bytes of each set of files that a visitor sends. Visitors may send several sets. `null`: any number.",
    1073741824,
  ),
  maxFiles: count(
    "files",
    "Of a drop link: the most files of each set that a visitor sends. Visitors may send several sets. `null`: any number.",
    100,
  ),
};

export const createLinkBody = z
  .object({
    fileId: text("the id of a file, as a string")
      .optional()
      .meta({ description: "The file to share." }),
    folderId: text("the id of a folder, as a string")
      .optional()
      .meta({ description: "The folder to share, with everything in it, or to receive files." }),
    key: oneKey("a file")
      .optional()
      .meta({ description: "The key of the file, instead of `fileId`." }),
    folder: oneKey("a folder")
      .optional()
      .meta({ description: "The key of the folder, instead of `folderId`. `/`: the root." }),
    kind: z
      .enum(["read", "drop"], { error: required("`read` or `drop`") })
      .optional()
      .meta({
        description:
          "`read` (default): visitors see the file or folder. `drop`: visitors send files into the folder, and see nothing.",
      }),
    ...options,
  })
  .meta(exactlyOne("fileId", "folderId", "key", "folder"));

const linkId = text("the id of a link, as a string").meta({ description: "The link's id." });

export const changeLinkBody = z.object({ id: linkId, ...options });

export const revokeLinkBody = z.object({ id: linkId });
