import { z } from "zod";
import { EXAMPLE_FOLDER_ID, EXAMPLE_ID } from "../example.ts";
import { metadataFields } from "../metadata-fields.ts";
import { allErrorCodes } from "../text/error-codes.ts";
import { visibility } from "../text.ts";
import { timestamp, undoId } from "./common.ts";

const sha256 = z.string().nullable().meta({
  description:
    "SHA-256 of the content, in 64 lower-case hexadecimal digits. `null`: the file was stored by a version without digests, and the scrub has not read it yet.",
  example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
});

const etag = z.string().meta({
  description: "A strong validator of the content, for conditions.",
  example: '"75b41-19c12a4f5d0"',
});

export const fileObject = z
  .object({
    id: z.string().meta({
      description: "Unique identifier of the file.",
      example: EXAMPLE_ID,
    }),
    name: z
      .string()
      .meta({ description: "File name, unique within its folder.", example: "harbour.jpg" }),
    key: z.string().meta({
      description: "Path relative to the storage root. Determines the file's public URL.",
      example: "photos/2026/harbour.jpg",
    }),
    mimeType: z.string().meta({ description: "Media type.", example: "image/jpeg" }),
    size: z.int().min(0).meta({ description: "In bytes.", example: 482113 }),
    folderId: z.string().meta({
      description: "Identifier of the folder that contains the file.",
      example: EXAMPLE_FOLDER_ID,
    }),
    visibility,
    url: z.string().meta({
      description: "Percent-encoded hosting URL, relative to the base URL.",
      example: "api/hosting/photos/2026/harbour.jpg",
    }),
    createdAt: timestamp,
    updatedAt: timestamp,
    sha256: sha256.optional().meta({
      description:
        "With `include=digest`: the SHA-256 of the content. `null`: it is not known yet.",
    }),
    metadata: z
      .record(z.string(), z.string())
      .optional()
      .meta({ description: "With `include=metadata`: the fields that are set." }),
    etag: etag.optional().meta({
      description:
        "With `include=etag`: the strong validator for conditions, also of a private file.",
    }),
    lastingUrl: z.string().optional().meta({
      description:
        "With `include=lastingUrl`: a hosting URL that caches may keep for a year. Absent for private files, while the digest is not known, and if the setting `lastingUrls` is off.",
      example: "api/hosting/photos/2026/harbour.jpg?v=3f0c9a51d2b84e67",
    }),
    expiresAt: timestamp.nullable().optional().meta({
      description: "With `include=lifetime`: when the file ends. `null`: never.",
    }),
  })
  .meta({ id: "File", typeName: "FileObject" });

export const oneFile = z.object({ file: fileObject });
export const fileList = z.object({ files: z.array(fileObject) });

export const fileDigest = z
  .object({
    id: z.string().meta({ description: "Identifier of the file.", example: EXAMPLE_ID }),
    key: z.string().meta({ description: "Key of the file.", example: "photos/2026/harbour.jpg" }),
    size: z.int().min(0).meta({ description: "In bytes.", example: 482113 }),
    sha256,
    etag,
  })
  .meta({ id: "FileDigest" });

export const fileLifetime = z
  .object({
    id: z.string().meta({ description: "Identifier of the file.", example: EXAMPLE_ID }),
    key: z.string().meta({ description: "Key of the file.", example: "photos/2026/harbour.jpg" }),
    expiresAt: timestamp.nullable().meta({
      description: "UTC. When the file ends. `null`: never.",
      example: "2026-03-31 00:00:00",
    }),
  })
  .meta({ id: "FileLifetime" });

export const fileMetadata = z
  .object({
    id: z.string().meta({ description: "Identifier of the file.", example: EXAMPLE_ID }),
    key: z.string().meta({ description: "Key of the file.", example: "photos/2026/harbour.jpg" }),
    metadata: z.record(z.string(), z.string()).meta({
      description:
        "The fields that are set, of `cacheControl`, `contentDisposition`, `contentLanguage`, `contentEncoding`, `expires` and `x-…`.",
      override: { type: "object", ...metadataFields({ type: "string" }) },
      example: { cacheControl: "public, max-age=31536000, immutable", "x-author": "Ada" },
      typeName: "FileMetadata",
    }),
  })
  .meta({ id: "FileMetadata", typeName: "FileMetadataResult" });

export const signedUrl = z
  .object({
    url: z.string().meta({
      description:
        "Signed URL, relative to the base URL. Gives access to the file until it expires.",
      example: "api/hosting/report.pdf?exp=1790000000&sig=…",
    }),
    expiresAt: z.string().meta({
      description: "ISO 8601, UTC, with milliseconds.",
      example: "2026-09-21T13:33:20.000Z",
    }),
  })
  .meta({ id: "SignedUrl" });

/** With `ids` the id and the message, with `keys` the key, the code and the message. */
const notDone = {
  id: z.string().optional(),
  key: z.string().optional(),
  code: z.enum(allErrorCodes).optional(),
  message: z.string(),
};

export const filesSigned = z
  .object({
    signed: z
      .array(
        signedUrl
          .extend({
            id: z.string().meta({ description: "Identifier of the file.", example: EXAMPLE_ID }),
            key: z
              .string()
              .meta({ description: "Key of the file.", example: "photos/2026/harbour.jpg" }),
          })
          .meta({ id: "SignedFile" }),
      )
      .meta({ description: "The signed URLs, in the order of the request." }),
    failed: z.array(z.object(notDone).meta({ typeName: "NotDone" })).meta({
      description: "The ids or keys without a file, in the order of the request.",
      example: [],
    }),
  })
  .meta({ id: "FilesSigned" });

export const filesChanged = z
  .object({
    files: z.array(fileObject).meta({ description: "The files as they are now." }),
    failed: z
      .array(
        z
          .object({
            ...notDone,
            takenBy: z.enum(["file", "folder"]).optional().meta({
              description: "What has the name in the target folder, if that is why.",
            }),
          })
          .meta({ typeName: "ChangeFailure" }),
      )
      .meta({ description: "The ids of files that stay as they were, and why.", example: [] }),
    undoId: undoId.optional(),
  })
  .meta({ id: "FilesChanged" });

export const deleteResult = z
  .object({
    deleted: z.array(z.string()).meta({
      description: "The ids of the deleted files.",
      example: [EXAMPLE_ID],
    }),
    failed: z.array(z.object(notDone).meta({ typeName: "NotDone" })).meta({
      description: "The ids or keys that could not be deleted, and why.",
      example: [],
    }),
    undoId: undoId.optional(),
  })
  .meta({ id: "DeleteResult" });
