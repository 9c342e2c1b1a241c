import { z } from "zod";
import { actions } from "./activity.ts";
import { required } from "./text.ts";

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

const folderSelector = {
  id: id("The folder with this id."),
  key: id("The folder with this key."),
  path: id("The same as `key`."),
};

export const foldersQuery = z.object({ ...folderSelector, ...listQuery });

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

const MOMENT = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)?(?:Z|[+-]\d\d:\d\d)?$/;
const NO_MOMENT = "must be a moment such as `2026-01-31 09:30:00` or `2026-01-31T09:30:00Z`";

/** Milliseconds since 1970. Without a zone it is UTC. */
const moment = (what: string) =>
  z
    .string()
    .regex(MOMENT, { error: NO_MOMENT })
    .transform((text, context) => {
      const [day = "", time = "00:00"] = text.replace("Z", "").split(/[T ]/);
      const zone = /[+-]\d\d:\d\d$/.test(time) ? "" : "Z";
      const millis = Date.parse(`${day}T${time}${zone}`);
      // A day that its month does not have would pass as one of the next month.
      const isDay = new Date(`${day}T00:00Z`).toJSON()?.startsWith(day) ?? false;
      if (Number.isNaN(millis) || !isDay) context.addIssue(NO_MOMENT);
      return millis;
    })
    .optional()
    .meta({ description: what, override: { type: "string", format: "date-time" } });

const pageSize = (usual: number, most: number) => {
  const error = `must be a whole number from 1 to ${most}`;
  return z
    .string()
    .regex(/^\d{1,6}$/, { error })
    .transform(Number)
    .pipe(z.number().min(1, { error }).max(most, { error }))
    .optional()
    .meta({
      description: `Most to return. Default: ${usual}.`,
      override: { type: "integer", minimum: 1, maximum: most },
    });
};

export const activityQuery = z.object({
  limit: pageSize(50, 200),
  cursor,
  action: z
    .enum(actions, { error: `must be one of ${actions.join(", ")}` })
    .optional()
    .meta({ description: "Only this action." }),
  actor: id("Only what the API key or the account with this id did."),
  outcome: z
    .enum(["done", "failed"], { error: "must be `done` or `failed`" })
    .optional()
    .meta({ description: "Only what was done, or what failed." }),
  since: moment("Only from this moment on."),
  until: moment("Only before this moment."),
});
export const searchQuery = z.object({
  q: z
    .string({ error: required("the text to look for") })
    .min(1, { error: "must be the text to look for" })
    .max(255, { error: "must be at most 255 characters long" })
    .meta({ description: "Part of a name, in upper or lower case.", example: "harbour" }),
  folderId: id("Searches this folder and everything below it. Default: all folders."),
  limit: pageSize(50, 200),
  cursor: z.string().optional().meta({
    description:
      "The `nextCursor` of the page before, with the same text and folder. Empty: the first page.",
  }),
});

export const folderSizeQuery = z.object(folderSelector);

export const overviewQuery = z.object({
  period: z
    .enum(["day", "week", "month"], { error: "must be `day`, `week` or `month`" })
    .optional()
    .meta({ description: "How far back the traffic goes. Default: `day`." }),
});
