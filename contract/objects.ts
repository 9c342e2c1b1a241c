import { z } from "zod";
import { actions } from "./activity.ts";
import { EXAMPLE_FOLDER_ID, EXAMPLE_ID, EXAMPLE_TOKEN, EXAMPLE_UNDO_ID } from "./example.ts";
import { keyActions } from "./key-actions.ts";
import {
  booleanSettings,
  eachBoolean,
  eachNumber,
  type NumberSetting,
  numberSettings,
  visibilitySetting,
} from "./settings.ts";
import { visibility } from "./text.ts";
import type {
  AccountObject,
  ActivityObject,
  ApiKeyObject,
  BatchMember,
  BatchObject,
  BatchUpload,
  ChangeObject,
  DeleteResult,
  FileDigest,
  FileObject,
  FilesChanged,
  FolderDefault,
  FolderObject,
  FolderVisibility,
  KeyTrafficObject,
  OverviewObject,
  S3Credentials,
  SecondFactorObject,
  SessionObject,
  SettingsObject,
  SignedUrl,
  UploadObject,
  VisibilityCounts,
} from "./types.ts";

export const timestamp = z.string().meta({
  description: "UTC, `YYYY-MM-DD HH:MM:SS`.",
  example: "2026-01-31 09:30:00",
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
  })
  .meta({ id: "File" }) satisfies z.ZodType<FileObject>;

export const fileDigest = z
  .object({
    id: z.string().meta({ description: "Identifier of the file.", example: EXAMPLE_ID }),
    key: z.string().meta({ description: "Key of the file.", example: "photos/2026/harbour.jpg" }),
    size: z.int().min(0).meta({ description: "In bytes.", example: 482113 }),
    sha256: z.string().nullable().meta({
      description:
        "SHA-256 of the content, in 64 lower-case hexadecimal digits. `null`: the file was stored by a version without digests, and the scrub has not read it yet.",
      example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    }),
  })
  .meta({ id: "FileDigest" }) satisfies z.ZodType<FileDigest>;

export const fileMetadata = z
  .object({
    id: z.string().meta({ description: "Identifier of the file.", example: EXAMPLE_ID }),
    key: z.string().meta({ description: "Key of the file.", example: "photos/2026/harbour.jpg" }),
    metadata: z.record(z.string(), z.string()).meta({
      description:
        "The fields that are set, of `cacheControl`, `contentDisposition`, `contentLanguage`, `contentEncoding`, `expires` and `x-…`.",
      example: { cacheControl: "public, max-age=31536000, immutable", "x-author": "Ada" },
    }),
  })
  .meta({ id: "FileMetadata" });

const uploadFields = {
  id: z.string().meta({ description: "Identifier of the upload.", example: EXAMPLE_ID }),
  folder: z.string().meta({
    description: "Key of the folder; in a batch, relative to the folder of the batch.",
    example: "photos/2026",
  }),
  name: z.string().nullable().meta({
    description: "Name of the file. `null`: the sender names it.",
    example: "harbour.mov",
  }),
  size: z.int().min(0).nullable().meta({
    description: "In bytes. `null`: not known yet.",
    example: 734003200,
  }),
  offset: z.int().min(0).meta({
    description: "The number of bytes that are stored and survive a power cut.",
    example: 0,
  }),
};

export const uploadObject = z
  .object({
    ...uploadFields,
    url: z.string().meta({
      description:
        "The upload URL, relative to the base URL. Anyone who has it may send, query and cancel this upload, and nothing else. It cannot be read again.",
      example: `api/uploads/${EXAMPLE_TOKEN}`,
    }),
    maxSize: z.int().min(0).meta({ description: "Maximum size, in bytes.", example: 1073741824 }),
    types: z.array(z.string()).meta({
      description: "Allowed media types. Empty: all.",
      example: ["video/*"],
    }),
    visibility: visibility.nullable().meta({ description: "`null`: the default.", example: null }),
    expiresAt: timestamp.meta({
      description: "UTC. When the upload is removed, unless more bytes arrive before.",
      example: "2026-02-01 09:30:00",
    }),
  })
  .meta({ id: "Upload" }) satisfies z.ZodType<UploadObject>;

export const batchUpload = z
  .object(uploadFields)
  .meta({ id: "BatchUpload" }) satisfies z.ZodType<BatchUpload>;

export const batchObject = z
  .object({
    id: z.string().meta({ description: "Identifier of the batch.", example: EXAMPLE_ID }),
    state: z.enum(["open", "committed"]).meta({ example: "open" }),
    folder: z.string().meta({ description: "Key of the folder.", example: "site" }),
    visibility: visibility.nullable().meta({ description: "`null`: the default.", example: null }),
    onConflict: z
      .enum(["refuse", "replace", "keepBoth", "skip"])
      .meta({ description: "What to do with taken names.", example: "replace" }),
    files: z.int().min(0).meta({ description: "The number of complete files.", example: 1204 }),
    bytes: z.int().min(0).meta({ description: "The sum of their sizes.", example: 580542139 }),
    result: z
      .object({
        added: z.int().min(0).meta({ example: 1200 }),
        replaced: z.int().min(0).meta({ example: 4 }),
        skipped: z.int().min(0).meta({ example: 0 }),
        committedAt: timestamp,
      })
      .nullable()
      .meta({ description: "`null`: the batch is not committed.", example: null }),
    createdAt: timestamp,
    expiresAt: timestamp.meta({
      description: "UTC. When the batch is removed, unless more arrives before.",
    }),
  })
  .meta({ id: "Batch" }) satisfies z.ZodType<BatchObject>;

export const batchMember = z
  .object({
    folder: z
      .string()
      .meta({ description: "Relative to the folder of the batch.", example: "assets" }),
    name: z.string().meta({ example: "index.html" }),
    size: z.int().min(0).meta({ description: "In bytes.", example: 4821 }),
    mimeType: z.string().meta({ example: "text/html" }),
    sha256: z.string().nullable().meta({
      description: "SHA-256 of the content, in lower-case hexadecimal digits.",
      example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    }),
  })
  .meta({ id: "BatchMember" }) satisfies z.ZodType<BatchMember>;

export const folderObject = z
  .object({
    id: z
      .string()
      .meta({ description: "Unique identifier of the folder.", example: EXAMPLE_FOLDER_ID }),
    name: z
      .string()
      .meta({ description: "A single path segment. Empty for the root.", example: "2026" }),
    key: z.string().meta({
      description: "Path relative to the storage root. Empty for the root.",
      example: "photos/2026",
    }),
    parentId: z.string().nullable().meta({
      description: "Identifier of the parent folder; `null` for the root.",
      example: "019c12a4e018722f9d3c1e5b7a90c4e8",
    }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "Folder" }) satisfies z.ZodType<FolderObject>;

export const folderVisibility = z
  .object({
    id: z.string().meta({ description: "Identifier of the folder.", example: EXAMPLE_FOLDER_ID }),
    key: z.string().meta({ description: "Key of the folder.", example: "photos/2026" }),
    defaultVisibility: visibility.nullable().meta({
      description: "The folder's own default. `null`: inherited.",
      example: null,
    }),
    effectiveVisibility: visibility.meta({
      description:
        "What an upload to the folder gets if it names no visibility: the folder's own default, else that of the nearest folder above with one, else the setting `defaultVisibility`.",
      example: "private",
    }),
    inheritedFrom: z
      .object({
        id: z.string().meta({ example: "019c12a4e018722f9d3c1e5b7a90c4e8" }),
        key: z.string().meta({ example: "photos" }),
      })
      .nullable()
      .meta({
        description:
          "The folder above with that default. `null`: the folder has its own, or it comes from the setting, or from a folder that the caller may not see.",
      }),
  })
  .meta({ id: "FolderVisibility" }) satisfies z.ZodType<FolderVisibility>;

export const folderDefault = z
  .object({
    id: z.string().meta({ example: EXAMPLE_FOLDER_ID }),
    key: z.string().meta({ example: "photos/2026/press" }),
    defaultVisibility: visibility.meta({ example: "public" }),
  })
  .meta({ id: "FolderDefault" }) satisfies z.ZodType<FolderDefault>;

const countsByVisibility = (description: string) =>
  z
    .object({
      public: z.int().min(0).meta({ example: 12 }),
      private: z.int().min(0).meta({ example: 28 }),
    })
    .meta({ description });

export const visibilityCounts = z.object({
  files: countsByVisibility("Files in the folder and its subfolders."),
  folders: countsByVisibility("Subfolders at any depth with a default of their own, by that."),
}) satisfies z.ZodType<VisibilityCounts>;

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
  .meta({ id: "SignedUrl" }) satisfies z.ZodType<SignedUrl>;

export const undoId = z.string().meta({
  description:
    "Identifier of the deletion, for `POST /api/trash/restore`. Only if it moved to the trash.",
  example: EXAMPLE_UNDO_ID,
});

const failedIds = (description: string) =>
  z.array(z.object({ id: z.string(), message: z.string() })).meta({ description, example: [] });

export const filesChanged = z
  .object({
    files: z.array(fileObject).meta({ description: "The files as they are now." }),
    failed: z
      .array(
        z.object({
          id: z.string(),
          message: z.string(),
          takenBy: z.enum(["file", "folder"]).optional().meta({
            description: "What has the name in the target folder, if that is why.",
          }),
        }),
      )
      .meta({ description: "The ids of files that stay as they were, and why.", example: [] }),
    undoId: undoId.optional(),
  })
  .meta({ id: "FilesChanged" }) satisfies z.ZodType<FilesChanged>;

export const deleteResult = z
  .object({
    deleted: z.array(z.string()).meta({
      description: "The ids of the deleted files.",
      example: [EXAMPLE_ID],
    }),
    failed: failedIds("The ids that could not be deleted, and why."),
    undoId: undoId.optional(),
  })
  .meta({ id: "DeleteResult" }) satisfies z.ZodType<DeleteResult>;

export const apiKeyObject = z
  .object({
    id: z.string().meta({ example: EXAMPLE_ID }),
    name: z
      .string()
      .meta({ description: "A label that identifies the key in lists.", example: "backend" }),
    prefix: z
      .string()
      .meta({ description: "The first characters of the key.", example: "hd_4fTq" }),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable().meta({ description: "`null` if the key has not been used." }),
    expiresAt: timestamp
      .nullable()
      .meta({ description: "`null` if the key does not expire.", example: null }),
    actions: z
      .array(z.enum(keyActions))
      .meta({ description: "What the key may do.", example: ["list", "read"] }),
    folder: z
      .object({
        id: z.string().meta({ example: EXAMPLE_FOLDER_ID }),
        key: z.string().nullable().meta({
          description:
            "The folder's current key; `null` if it was deleted, so that the key reaches nothing.",
          example: "photos/2026",
        }),
      })
      .nullable()
      .meta({
        description: "The folder that the key is limited to; `null` if it is not limited.",
      }),
    parentId: z.string().nullable().meta({
      description:
        "The API key that created it. Revoking that key revokes this one too. `null` if there is none.",
      example: null,
    }),
    oldSecretExpiresAt: timestamp.nullable().meta({
      description:
        "Until when the secret from before the last rotation works, too. `null` if it does not.",
      example: null,
    }),
  })
  .meta({ id: "ApiKey" }) satisfies z.ZodType<ApiKeyObject>;

export const s3Credentials = z
  .object({
    accessKeyId: z.string().meta({
      description: "The id of the API key, without dashes.",
      example: EXAMPLE_ID.replaceAll("-", ""),
    }),
    secretAccessKey: z.string().meta({
      description:
        "Derived from the id of the API key, the number of its rotations, and `AUTH_SECRET`.",
      example: "hV3kq0Jc1yXw8mTn5bZr2sQe7dLf4uPg9aKi6oYtRxM",
    }),
  })
  .meta({ id: "S3Credentials" }) satisfies z.ZodType<S3Credentials>;

export const accountObject = z
  .object({
    id: z.string().meta({ example: EXAMPLE_ID }),
    email: z.string().meta({ example: "ada@example.com" }),
    createdAt: timestamp,
  })
  .meta({ id: "Account" }) satisfies z.ZodType<AccountObject>;

export const secondFactorObject = z
  .object({
    enabledAt: timestamp.nullable().meta({
      description: "When two-step sign-in was turned on; `null` if it is off.",
    }),
    recoveryCodes: z.int().min(0).meta({
      description: "Number of recovery codes that are left.",
      example: 10,
    }),
  })
  .meta({ id: "SecondFactor" }) satisfies z.ZodType<SecondFactorObject>;

export const sessionObject = z
  .object({
    id: z.string().meta({ example: EXAMPLE_ID }),
    current: z.boolean().meta({ description: "True for the caller's session." }),
    userAgent: z.string().meta({
      description: "The browser's `User-Agent`.",
      example: "Mozilla/5.0 (X11; Linux x86_64) …",
    }),
    address: z.string().meta({ description: "The IP address at sign-in.", example: "203.0.113.7" }),
    createdAt: timestamp,
    lastSeenAt: timestamp,
    expiresAt: timestamp,
  })
  .meta({ id: "Session" }) satisfies z.ZodType<SessionObject>;

const setting = <Value extends z.ZodType>(
  value: Value,
  { variable, unit, description }: { variable: string; unit: string | null; description: string },
) =>
  z
    .object({
      value: value.meta({ description: "The current value." }),
      default: value,
      pinned: z.boolean().meta({
        description: "True if the environment sets the value, so that it cannot be changed here.",
        example: false,
      }),
      variable: z.string().meta({
        description: "The environment variable that overrides the setting.",
        example: variable,
      }),
      unit: z
        .enum(["bytes", "seconds", "days", "files", "ids", "pixels", "percent"])
        .nullable()
        .meta({ description: "Unit of the value.", example: unit }),
    })
    .meta({ description });

export const settingsObject = z
  .object({
    defaultVisibility: setting(visibility, { ...visibilitySetting, unit: null }),
    ...eachNumber((name) => {
      const about: NumberSetting = numberSettings[name];
      return setting(z.int().min(0).meta({ example: about.default }), about);
    }),
    ...eachBoolean((name) => {
      const about = booleanSettings[name];
      return setting(z.boolean().meta({ example: about.default }), { ...about, unit: null });
    }),
  })
  .meta({ id: "Settings" }) satisfies z.ZodType<SettingsObject>;

export const nullableText = (description: string, example: string | null) =>
  z.string().nullable().meta({ description, example });

export const activityObject = z
  .object({
    id: z.string().meta({ example: "019c12a4-f5d0-722f-9d3c-1e5b7a90c4e8" }),
    at: timestamp,
    action: z.enum(actions).meta({
      description: "The id of an operation of this API, or of a command-line action.",
      example: "changeFile",
    }),
    outcome: z.enum(["done", "failed"]),
    status: z.int().meta({ description: "HTTP status of the response.", example: 200 }),
    actor: z
      .object({
        kind: z.enum(["key", "account", "link", "none", "command"]),
        id: nullableText(
          "Id of the API key, the account or the link.",
          "019c12a4-e3b4-722f-9d3c-1e5b7a90c4e8",
        ),
        name: nullableText("Name at the time of the request.", "backend"),
      })
      .meta({
        description:
          "Who made the request. `link`: a visitor of a link. `none`: an unauthenticated client. `command`: the command line on the server.",
      }),
    address: nullableText(
      "The client's IP address; `null` for the command line, or if the entry covers several clients.",
      "203.0.113.7",
    ),
    subject: z
      .object({
        kind: z.enum(["file", "folder", "key", "account", "session", "link"]),
        id: nullableText("", "019c12a4-f5d0-722f-9d3c-1e5b7a90c4e8"),
        key: nullableText(
          "Key of the file or folder before the request.",
          "photos/2026/harbour.jpg",
        ),
        name: nullableText(
          "Name of the API key, email address of the account, or title of the link.",
          null,
        ),
      })
      .nullable()
      .meta({ description: "The object of the request." }),
    detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).meta({
      description:
        "The requested changes, counts and sizes, and the `message` of a failure. `times`: the number of identical requests within a second, or within ten minutes for failures of unauthenticated clients without an address.",
      example: { name: "quay.jpg" },
    }),
  })
  .meta({ id: "Activity" }) satisfies z.ZodType<ActivityObject>;

export const changeObject = z
  .object({
    cursor: z.string().meta({
      description: "The position after this change, for `since`.",
      example: "WyIxeDRrcGYiLDQyLCJrNXR3MTMiXQ",
    }),
    kind: z
      .enum([
        "file.created",
        "file.replaced",
        "file.updated",
        "file.moved",
        "file.deleted",
        "file.restored",
        "folder.created",
        "folder.updated",
        "folder.moved",
        "folder.deleted",
        "folder.restored",
      ])
      .meta({
        description:
          "`replaced`: new content. `updated`: other properties; of a folder, the visibility of the files inside. `moved`: renamed or moved. A moved or deleted folder takes everything inside with it. `restored`: back from the trash; of a folder, with everything that was inside.",
        example: "file.moved",
      }),
    at: timestamp,
    actor: activityObject.shape.actor.meta({
      description:
        "Who made the change. `id` and `name` are `null` for the command line. API keys without `admin`, or limited to a folder, see only their own.",
    }),
    id: z.string().meta({ description: "Id of the file or folder.", example: EXAMPLE_ID }),
    key: z.string().meta({
      description: "Key after the change; of something deleted, before it.",
      example: "photos/2026/quay.jpg",
    }),
    fromKey: nullableText(
      "Key before the change, if it was moved or renamed.",
      "photos/2026/harbour.jpg",
    ),
    file: fileObject.nullable().meta({
      description: "The file after the change. `null` for folders and deleted files.",
    }),
    folder: folderObject.nullable().meta({
      description:
        "The folder after the change. `null` for files, for deleted folders, and if only the key or the content of the folder changed.",
      example: null,
    }),
    visibility: visibility.nullable().meta({
      description:
        "All files in the folder, at any depth, have this visibility from then on; those that had another one also have `updatedAt` = `at`. `null`: they keep theirs.",
      example: null,
    }),
    hasContent: z.boolean().meta({
      description:
        "True if the folder was moved into view or restored with its content, which has no entries of its own: list the folder.",
      example: false,
    }),
  })
  .meta({ id: "Change" }) satisfies z.ZodType<ChangeObject>;

const count = (description: string, example: number) =>
  z.int().min(0).meta({ description, example });

export const keyTraffic = z
  .object({
    id: z.string().meta({ description: "Identifier of the key.", example: EXAMPLE_ID }),
    name: z.string().meta({ example: "backend" }),
    requests: count("Number of requests.", 340),
    bytes: count("Bytes of file content in the responses.", 9437184),
    errors: count("Number of responses with a status of 400 or above.", 2),
  })
  .meta({ id: "KeyTraffic" }) satisfies z.ZodType<KeyTrafficObject>;

export const overviewObject = z
  .object({
    storage: z.object({
      used: count("Total size of all files, in bytes.", 73400320),
      free: z.int().min(0).nullable().meta({
        description: "Free bytes on the volume; `null` if unknown.",
        example: 52428800000,
      }),
      files: count("Number of files.", 1520),
      folders: count("Number of folders, without the root.", 48),
      trash: count("Total size of the files in the trash, which `used` does not include.", 482113),
      versions: count(
        "Total size of replaced content, which `used` does not include. `null` for API keys that are limited to a folder.",
        0,
      ).nullable(),
    }),
    types: z
      .array(
        z.object({
          type: z.enum(["image", "video", "audio", "document", "text", "archive", "other"]),
          files: count("", 1200),
          bytes: count("", 62914560),
        }),
      )
      .meta({ description: "Every type of file, including types without files." }),
    largest: z.array(fileObject).meta({ description: "The ten largest files." }),
    newest: z.array(fileObject).meta({ description: "The ten newest files." }),
    traffic: z
      .array(
        z.object({
          at: timestamp,
          requests: count("Number of requests for files.", 340),
          bytes: count("Bytes of file content in the responses.", 9437184),
          errors: count("Number of responses with a status of 400 or above.", 2),
        }),
      )
      .meta({ description: "By hour, or by day for a month (UTC), from the oldest to now." }),
  })
  .meta({ id: "Overview" }) satisfies z.ZodType<OverviewObject>;
