import { z } from "zod";

/* Query parameters: text that comes in, values that come out. */

const wholeNumber = (what: string) =>
  z
    .string()
    .regex(/^\d{1,15}$/, { error: "must be a whole number of 0 or more" })
    .transform(Number)
    .meta({ description: what, override: { type: "integer", minimum: 0 } });

const cursor = z.string().optional().meta({
  description:
    "Asks for pages that stay in step while files come and go, at the same cost however deep: empty for the first page, then the `nextCursor` of the page before with the same parameters. Not together with `offset`.",
});

const listQuery = {
  limit: wholeNumber("Most files to return. Default: all.").optional(),
  offset: wholeNumber("Files to skip. Default: 0.").optional(),
  orderBy: z
    .enum(["createdAt", "updatedAt", "name", "size", "type"], {
      error: "must be `createdAt`, `updatedAt`, `name`, `size` or `type`",
    })
    .optional()
    .meta({
      description: "Default: `createdAt`. `type` is the media type. Ties are broken by id.",
    }),
  orderDirection: z
    .string()
    .transform((value) => value.toUpperCase())
    .pipe(z.enum(["ASC", "DESC"], { error: "must be `ASC` or `DESC`" }))
    .optional()
    .meta({
      description: "Default: `DESC`. Any case.",
      override: { type: "string", enum: ["ASC", "DESC"] },
    }),
  cursor,
};

const id = (what: string) => z.string().optional().meta({ description: what });

export const filesQuery = z.object({
  id: id("Fetches the one file with this id."),
  key: id("Fetches the one file with this key."),
  name: id("Lists the files with exactly this name, across all folders."),
  ...listQuery,
});

export const foldersQuery = z.object({
  id: id("Shows the folder with this id."),
  key: id("Shows the folder with this key."),
  path: id("The same as `key`."),
  ...listQuery,
});

export const folderDownloadQuery = z.object({
  id: id("The id of the folder."),
  key: id("The key of the folder, instead of its id."),
  path: id("The same as `key`."),
});

export const hostingQuery = z.object({
  download: z
    .string()
    .optional()
    .meta({ description: "`1` serves the file as an attachment. Not part of the signature." }),
  exp: z.string().optional().meta({ description: "When the signed URL expires, in Unix seconds." }),
  sig: z.string().optional().meta({ description: "The signature of the signed URL." }),
});
