import { z } from "zod";
import { EXAMPLE_ID, EXAMPLE_UNDO_ID } from "../example.ts";
import { visibility } from "../text.ts";
import { nullableText, timestamp } from "./common.ts";

const count = (description: string, example: number) =>
  z.int().min(0).meta({ description, example });

const expiresAt = timestamp.meta({
  description: "UTC. From then on it may be deleted permanently.",
  example: "2026-03-02 09:30:00",
});

const kind = z.enum(["file", "folder"]).meta({ example: "file" });

export const trashItem = z
  .object({
    id: z.string().meta({
      description: "Identifier that the file or folder had, and has again after a restore.",
      example: EXAMPLE_ID,
    }),
    kind,
    name: z.string().meta({ example: "harbour.jpg" }),
    key: z.string().meta({
      description:
        "Where it was, with the current names of folders that were renamed or moved since. A restore puts it there, unless the name is taken.",
      example: "photos/2026/harbour.jpg",
    }),
    size: count("In bytes; of a folder, all files inside. `null`: not counted.", 482113).nullable(),
    files: z.int().min(0).nullable().meta({
      description: "The files in a folder. `null` for a file, and if they are not counted.",
      example: null,
    }),
    visibility: visibility.nullable().meta({ description: "`null` for a folder." }),
    mimeType: nullableText("Media type. `null` for a folder.", "image/jpeg"),
    undoId: z.string().meta({
      description: "Identifier of the deletion. All items of one deletion have the same.",
      example: EXAMPLE_UNDO_ID,
    }),
    deletedAt: timestamp,
    deletedBy: nullableText(
      "Name of the API key or account. `null`: unknown, or hidden from the caller.",
      "backend",
    ),
    expiresAt,
  })
  .meta({ id: "TrashItem" });

export const trashTotals = z
  .object({
    items: count("Deleted files and folders, without what is in the folders.", 3),
    files: count("Files, including those in folders.", 1204),
    bytes: count("Total size of the files.", 580542139),
  })
  .meta({
    description: "Of everything in the trash that the caller may see.",
  })
  .meta({ typeName: "TrashTotals" });

export const restoreResult = z
  .object({
    restored: z.array(
      z
        .object({
          id: z.string().meta({ example: EXAMPLE_ID }),
          kind,
          key: z.string().meta({
            description: "Where it is now.",
            example: "photos/2026/harbour.jpg",
          }),
          renamed: z.boolean().meta({
            description: "Whether its name was taken, so that it got another.",
            example: false,
          }),
        })
        .meta({ typeName: "RestoredItem" }),
    ),
    failed: z
      .array(z.object({ id: z.string(), reason: z.string() }))
      .meta({ description: "What stayed in the trash, and why.", example: [] }),
  })
  .meta({ typeName: "RestoreResult" });

export const fileVersion = z
  .object({
    id: z.string().meta({ description: "Identifier of the version.", example: EXAMPLE_ID }),
    size: count("In bytes.", 482113),
    mimeType: z.string().meta({ description: "Media type.", example: "image/jpeg" }),
    sha256: nullableText(
      "SHA-256 of the content, in lower-case hexadecimal digits. `null`: not computed yet.",
      "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    ),
    modifiedAt: timestamp.meta({ description: "UTC. When the content was stored." }),
    replacedAt: timestamp.meta({ description: "UTC. When other content replaced it." }),
    expiresAt,
    replacedBy: nullableText(
      "Name of the API key or account. `null`: unknown, or hidden from the caller.",
      "backend",
    ),
  })
  .meta({ id: "FileVersion" });
