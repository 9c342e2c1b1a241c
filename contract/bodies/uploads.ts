import { z } from "zod";
import { required, text, visibility } from "../text.ts";
import { laterLifetime, metadata, onConflict } from "./common.ts";
import { uploadForm } from "./files.ts";

export const bytes = (description: string) => {
  const error = "must be a whole number of bytes";
  return z.int({ error }).min(0, { error }).optional().meta({ description, example: 734003200 });
};

export const createUploadBody = z.object({
  folder: text("the path of a folder").optional().meta({
    description:
      "Target folder. Missing folders are created. Default: the root, or the folder of the API key; in a batch, the folder of the batch.",
    example: "photos/2026",
  }),
  name: text("a file name").optional().meta({
    description: "Name of the file. Default: the sender names it.",
    example: "harbour.mov",
  }),
  size: bytes("Size of the file in bytes. Default: the sender says it."),
  maxSize: bytes("Maximum size in bytes. At most, and by default, `MAX_UPLOAD_SIZE`."),
  types: z
    .array(text("a media type"), { error: required("a list of media types") })
    .optional()
    .meta({
      description:
        "Allowed media types, such as `image/png`, or `image/*` for all images. The type of a file is that of its name's extension. Default: all.",
      example: ["video/*"],
    }),
  contentType: text("a media type").max(255, { error: "must be a media type" }).optional().meta({
    description: "Media type of the file, if its name has no known extension.",
  }),
  visibility: visibility.optional().meta({
    description:
      "Default: that of the batch, else that of a replaced file, else `DEFAULT_FILE_VISIBILITY`.",
  }),
  onConflict: onConflict.optional().meta({
    description:
      "What to do if the name is already taken when the file is complete: `refuse` (default), `replace`, `keepBoth` or `skip`. In a batch, that of the batch applies.",
  }),
  ...laterLifetime,
  metadata,
  sha256: text("a SHA-256 digest").optional().meta({
    description:
      "The expected SHA-256 of the file, in 64 hexadecimal digits. A file with another one is not stored.",
  }),
  expiresIn: z
    .number({ error: "must be a number of seconds greater than 0" })
    .positive({ error: "must be a number of seconds greater than 0" })
    .optional()
    .meta({
      description:
        "Seconds until the upload expires, if nothing arrives before: whenever bytes arrive, it stays for `UPLOAD_EXPIRY` more. At most `MAX_PRESIGN_TTL_SECONDS`. Default: `UPLOAD_EXPIRY`.",
    }),
});

export const createBatchBody = z.object({
  folder: text("the path of a folder").optional().meta({
    description:
      "The folder that all files of the batch go into. Default: the root, or the folder of the API key.",
    example: "site",
  }),
  visibility: visibility.optional().meta({
    description:
      "Visibility of its files. Default: that of a replaced file, else `DEFAULT_FILE_VISIBILITY`.",
  }),
  ...laterLifetime,
  onConflict: onConflict.optional().meta({
    description:
      "What to do with names that are already taken when the batch is committed: `refuse` (default), `replace`, `keepBoth` or `skip`.",
    example: "replace",
  }),
});

/** Documents the multipart body, which is parsed as a stream and not by this schema. */
export const batchForm = uploadForm.omit({ onConflict: true }).extend({
  folder: z.string().optional().meta({
    description: "Folder relative to that of the batch. Default: the folder of the batch.",
  }),
  visibility: visibility.optional().meta({
    description: "Visibility of all files in the request. Default: that of the batch.",
  }),
});
