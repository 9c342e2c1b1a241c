import { z } from "zod";
import { EXAMPLE_FOLDER_ID } from "../example.ts";
import { visibility } from "../text.ts";
import { timestamp } from "./common.ts";
import { fileObject } from "./files.ts";

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
  .meta({ id: "Folder", typeName: "FolderObject" });

export const subfolderObject = folderObject
  .extend({
    peek: z.array(fileObject).optional().meta({
      description:
        "With `peek=1`: the first files directly in the folder, at most four, in the order of `naturalName`.",
    }),
    hasFolders: z.boolean().optional().meta({
      description: "With `hasFolders=1`: whether the folder has subfolders.",
    }),
  })
  .meta({ id: "Subfolder", typeName: "SubfolderObject" });

export const signedFolder = z
  .object({
    url: z.string().meta({
      description:
        "URL prefix, relative to the base URL, with a slash at the end. Append the percent-encoded path of a file relative to the folder.",
      example: "api/hosting/~AAAAaxq…/",
    }),
    expiresAt: z.string().meta({
      description: "ISO 8601, UTC, with milliseconds.",
      example: "2026-09-21T13:33:20.000Z",
    }),
  })
  .meta({ id: "SignedFolder" });

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
    expireAfter: z.int().min(0).nullable().meta({
      description: "The folder's own, in seconds. `0`: never. `null`: inherited.",
      example: null,
    }),
    effectiveExpireAfter: z.int().min(0).nullable().meta({
      description: "Seconds after which new files end if their upload says nothing. `null`: never.",
      example: 604800,
    }),
  })
  .meta({ id: "FolderVisibility" });

export const folderDefault = z
  .object({
    id: z.string().meta({ example: EXAMPLE_FOLDER_ID }),
    key: z.string().meta({ example: "photos/2026/press" }),
    defaultVisibility: visibility.meta({ example: "public" }),
  })
  .meta({ id: "FolderDefault" });

const countsByVisibility = (description: string) =>
  z
    .object({
      public: z.int().min(0).meta({ example: 12 }),
      private: z.int().min(0).meta({ example: 28 }),
    })
    .meta({ description });

export const visibilityCounts = z
  .object({
    files: countsByVisibility("Files in the folder and its subfolders."),
    folders: countsByVisibility("Subfolders at any depth with a default of their own, by that."),
  })
  .meta({ typeName: "VisibilityCounts" });

export const folderSize = z.object({
  files: z.int().min(0).meta({ example: 1204 }),
  folders: z.int().min(0).meta({ example: 16 }),
  bytes: z.int().min(0).meta({ description: "Total size of the files.", example: 580542139 }),
});

export const measuredFolder = folderSize
  .extend({
    id: z.string().meta({ example: EXAMPLE_FOLDER_ID }),
  })
  .meta({ typeName: "MeasuredFolder" });
