import { z } from "zod";
import { actions } from "./activity.ts";
import { eachNumber, type NumberSetting, numberSettings, visibilitySetting } from "./settings.ts";
import { visibility } from "./text.ts";
import type {
  AccountObject,
  ActivityObject,
  ApiKeyObject,
  DeleteResult,
  FileObject,
  FolderObject,
  OverviewObject,
  SessionObject,
  SettingsObject,
  SignedUrl,
} from "./types.ts";

const timestamp = z.string().meta({
  description: "UTC, `YYYY-MM-DD HH:MM:SS`.",
  example: "2026-01-31 09:30:00",
});

const FOLDER_ID = "019c12a4e3b4722f9d3c1e5b7a90c4e8";

export const fileObject = z
  .object({
    id: z.string().meta({
      description: "Unique identifier of the file.",
      example: "019c12a4f5d0722f9d3c1e5b7a90c4e8",
    }),
    name: z
      .string()
      .meta({ description: "File name, unique within its folder.", example: "harbour.jpg" }),
    key: z.string().meta({
      description: "Path relative to the storage root. Determines the public URL.",
      example: "photos/2026/harbour.jpg",
    }),
    mimeType: z.string().meta({ description: "Media type.", example: "image/jpeg" }),
    size: z.int().min(0).meta({ description: "In bytes.", example: 482113 }),
    folderId: z
      .string()
      .meta({ description: "Identifier of the folder that it is in.", example: FOLDER_ID }),
    visibility,
    url: z.string().meta({
      description: "Hosting URL relative to the base URL, percent-encoded.",
      example: "api/hosting/photos/2026/harbour.jpg",
    }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "File" }) satisfies z.ZodType<FileObject>;

export const folderObject = z
  .object({
    id: z.string().meta({ description: "Unique identifier of the folder.", example: FOLDER_ID }),
    name: z
      .string()
      .meta({ description: "A single path segment. The root's is empty.", example: "2026" }),
    key: z.string().meta({
      description: "Path relative to the storage root. The root's is empty.",
      example: "photos/2026",
    }),
    parentId: z.string().nullable().meta({
      description: "Identifier of the folder that it is in; `null` for the root.",
      example: "019c12a4e018722f9d3c1e5b7a90c4e8",
    }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "Folder" }) satisfies z.ZodType<FolderObject>;

export const signedUrl = z
  .object({
    url: z.string().meta({
      description: "Relative to the base URL; reads the file without credentials until it expires.",
      example: "api/hosting/report.pdf?exp=1790000000&sig=…",
    }),
    expiresAt: z.string().meta({
      description: "ISO 8601, UTC, with milliseconds.",
      example: "2026-09-21T13:33:20.000Z",
    }),
  })
  .meta({ id: "SignedUrl" }) satisfies z.ZodType<SignedUrl>;

export const deleteResult = z
  .object({
    deleted: z.array(z.string()).meta({
      description: "The ids of what is gone.",
      example: ["019c12a4f5d0722f9d3c1e5b7a90c4e8"],
    }),
    failed: z
      .array(z.object({ id: z.string(), message: z.string() }))
      .meta({ description: "The ids that could not be deleted, and why.", example: [] }),
  })
  .meta({ id: "DeleteResult" }) satisfies z.ZodType<DeleteResult>;

export const apiKeyObject = z
  .object({
    id: z.string().meta({ example: "019c12a4f5d0722f9d3c1e5b7a90c4e8" }),
    name: z.string().meta({ description: "For people, to tell keys apart.", example: "backend" }),
    prefix: z.string().meta({ description: "The key's first characters.", example: "hd_4fTq" }),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable().meta({ description: "`null`: not yet." }),
    expiresAt: timestamp.nullable().meta({ description: "`null`: never.", example: null }),
  })
  .meta({ id: "ApiKey" }) satisfies z.ZodType<ApiKeyObject>;

export const accountObject = z
  .object({
    id: z.string().meta({ example: "019c12a4f5d0722f9d3c1e5b7a90c4e8" }),
    email: z.string().meta({ example: "ada@example.com" }),
    createdAt: timestamp,
  })
  .meta({ id: "Account" }) satisfies z.ZodType<AccountObject>;

export const sessionObject = z
  .object({
    id: z.string().meta({ example: "019c12a4f5d0722f9d3c1e5b7a90c4e8" }),
    current: z.boolean().meta({ description: "True for the session that asks." }),
    userAgent: z.string().meta({
      description: "What the browser calls itself.",
      example: "Mozilla/5.0 (X11; Linux x86_64) …",
    }),
    address: z
      .string()
      .meta({ description: "The IP address that signed in.", example: "203.0.113.7" }),
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
      value: value.meta({ description: "The value that holds." }),
      default: value,
      pinned: z.boolean().meta({
        description: "True when the environment decides it, so that it cannot be changed here.",
        example: false,
      }),
      variable: z.string().meta({
        description: "The environment's variable that decides it where it is set.",
        example: variable,
      }),
      unit: z
        .enum(["bytes", "seconds", "days", "files", "ids"])
        .nullable()
        .meta({ description: "What the number counts.", example: unit }),
    })
    .meta({ description });

export const settingsObject = z
  .object({
    defaultVisibility: setting(visibility, { ...visibilitySetting, unit: null }),
    ...eachNumber((name) => {
      const about: NumberSetting = numberSettings[name];
      return setting(z.int().min(0).meta({ example: about.default }), about);
    }),
  })
  .meta({ id: "Settings" }) satisfies z.ZodType<SettingsObject>;

const maybeText = (description: string, example: string | null) =>
  z.string().nullable().meta({ description, example });

export const activityObject = z
  .object({
    id: z.string().meta({ example: "019c12a4-f5d0-722f-9d3c-1e5b7a90c4e8" }),
    at: timestamp,
    action: z.enum(actions).meta({
      description: "The id of an operation of this API, or of a command.",
      example: "changeFile",
    }),
    outcome: z.enum(["done", "failed"]),
    status: z.int().meta({ description: "Of the answer.", example: 200 }),
    actor: z
      .object({
        kind: z.enum(["key", "account", "none", "command"]),
        id: maybeText("Of the API key or the account.", "019c12a4-e3b4-722f-9d3c-1e5b7a90c4e8"),
        name: maybeText("As it was at the time.", "backend"),
      })
      .meta({
        description: "Who did it; `none`: nobody known; `command`: somebody on the machine itself.",
      }),
    address: maybeText(
      "The client's; `null`: it came from the machine itself, or from many.",
      "203.0.113.7",
    ),
    subject: z
      .object({
        kind: z.enum(["file", "folder", "key", "account", "session"]),
        id: maybeText("", "019c12a4-f5d0-722f-9d3c-1e5b7a90c4e8"),
        key: maybeText("Of a file or folder, as it was before.", "photos/2026/harbour.jpg"),
        name: maybeText("Of an API key or an account.", null),
      })
      .nullable()
      .meta({ description: "What it was done to." }),
    detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).meta({
      description:
        "What was asked for, how much it was, and the `message` of a failure. `times`: how often within a second; of strangers without an address, within ten minutes.",
      example: { name: "quay.jpg" },
    }),
  })
  .meta({ id: "Activity" }) satisfies z.ZodType<ActivityObject>;

const count = (description: string, example: number) =>
  z.int().min(0).meta({ description, example });

export const overviewObject = z
  .object({
    storage: z.object({
      used: count("Bytes of all files.", 73400320),
      free: z.int().min(0).nullable().meta({
        description: "Bytes free on the volume; `null`: not known.",
        example: 52428800000,
      }),
      files: count("All files.", 1520),
      folders: count("All folders but the root.", 48),
    }),
    types: z
      .array(
        z.object({
          type: z.enum(["image", "video", "audio", "document", "text", "archive", "other"]),
          files: count("", 1200),
          bytes: count("", 62914560),
        }),
      )
      .meta({ description: "Every kind of file, those of which there is none as well." }),
    largest: z.array(fileObject).meta({ description: "The ten largest files." }),
    newest: z.array(fileObject).meta({ description: "The ten newest files." }),
    traffic: z
      .array(
        z.object({
          at: timestamp,
          requests: count("Requests for files.", 340),
          bytes: count("Bytes of files that answers held.", 9437184),
          errors: count("Requests answered 400 and above.", 2),
        }),
      )
      .meta({ description: "Oldest first, to now: by the hour, and of a month by the day (UTC)." }),
  })
  .meta({ id: "Overview" }) satisfies z.ZodType<OverviewObject>;
