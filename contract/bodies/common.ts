import { z } from "zod";
import { metadataFields } from "../metadata-fields.ts";
import { moment } from "../moment.ts";
import { required, text, visibility } from "../text.ts";

export const oneId = (object: string) => text(`the id of ${object}, as a string`);

export const oneKey = (object: string) => text(`the key of ${object}, as a string`);

/** A target folder by its key, instead of by the id in `field`. */
export const targetKey = (field: string, purpose: string) =>
  oneKey("a folder")
    .optional()
    .meta({
      description: `The key of the folder to ${purpose}, instead of \`${field}\`. \`/\`: the root.`,
    });

export const expiresIn = z
  .number({ error: "must be a number of seconds greater than 0" })
  .positive({ error: "must be a number of seconds greater than 0" })
  .optional()
  .meta({
    description:
      "Validity in seconds, at most `MAX_PRESIGN_TTL_SECONDS`. Default: `DEFAULT_PRESIGN_TTL_SECONDS`.",
  });

const SECONDS = "must be a number of seconds greater than 0, or null";

const secondsLeft = (description: string) =>
  z
    .number({ error: SECONDS })
    .positive({ error: SECONDS })
    .nullish()
    .meta({ description, example: 604800 });

const endTime = (description: string) =>
  moment.nullish().meta({
    description,
    override: { type: ["string", "null"], format: "date-time" },
  });

/** When files end. `purpose` says of which. */
export const lifetimeOf = (purpose: string) => ({
  expiresIn: secondsLeft(`Seconds until ${purpose}. \`null\`: never.`),
  expiresAt: endTime("The same as a time: UTC, or ISO 8601."),
});

/** `lifetimeOf` under other names, for bodies in which `expiresIn` and `expiresAt` mean something else. */
export const laterLifetime = {
  fileExpiresIn: secondsLeft(
    "Seconds until a file ends, from when it appears. `null`: never. Default: `expireAfter` of its folder.",
  ),
  fileExpiresAt: endTime("The same as a time."),
};

export const changes = {
  name: text("a string").optional().meta({ description: "The new name: a single path segment." }),
  visibility: visibility.optional(),
};

/* Which fields a request needs. For the documentation only: the operations check it themselves. */
export const oneOrMore = (...fields: string[]) => ({
  anyOf: fields.map((field) => ({ required: [field] })),
});

export const exactlyOne = (...fields: string[]) => ({
  oneOf: fields.map((field) => ({ required: [field] })),
});

export const METADATA =
  "Response headers of the file: `cacheControl`, `contentDisposition`, `contentLanguage`, `contentEncoding` (of `gzip`, `br`, `zstd`, `deflate`), `expires` (an HTTP date), and pairs with lower-case names `x-…`, which are sent as `X-Meta-…`. Those of S3 clients, `x-amz-meta-…`, are sent as they are. At most 32 pairs, 2,048 bytes of JSON and 1,800 bytes of headers, in which the names of pairs count twice.";

export const onConflict = z
  .enum(["refuse", "replace", "keepBoth", "skip"], {
    error: required("`refuse`, `replace`, `keepBoth` or `skip`"),
  })
  .meta({ typeName: "OnConflict" });

export const idList = (object: string, description: string) =>
  z
    .array(oneId(`a ${object}`), { error: required(`a list of ${object} ids`) })
    .optional()
    .meta({ description });

export const keyList = (object: string, description: string) =>
  z
    .array(oneKey(`a ${object}`), { error: required(`a list of ${object} keys`) })
    .optional()
    .meta({ description });

/** The body field `dryRun` of operations that change the tree. */
export const dryRun = {
  dryRun: z.boolean({ error: "must be true or false" }).optional().meta({
    description: "`true`: changes nothing and returns only what the request would do, as `dryRun`.",
  }),
};

export const metadata = z
  .record(z.string(), z.unknown(), { error: "must be an object" })
  .optional()
  .meta({
    description: `${METADATA} A replaced file keeps its metadata if this field is left out.`,
    override: {
      type: "object",
      ...metadataFields({ type: "string" }),
      examples: [{ cacheControl: "public, max-age=3600" }],
    },
    typeName: "FileMetadata",
  });

/** 7 days. */
const MAX_OLD_SECRET_SECONDS = 604_800;

/** How long the old secret of what is rotated still counts. */
export const oldSecretExpiresIn = (description: string) =>
  z
    .number({ error: "must be a number of seconds" })
    .min(0, { error: "must be a number of seconds of at least 0" })
    .max(MAX_OLD_SECRET_SECONDS, { error: "must be at most 7 days, in seconds" })
    .optional()
    .meta({ description, example: 86_400 });
