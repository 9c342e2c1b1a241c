import { z } from "zod";
import { EXAMPLE_ID, EXAMPLE_TOKEN } from "../example.ts";
import { visibility } from "../text.ts";
import { timestamp } from "./common.ts";

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
  .meta({ id: "Upload", typeName: "UploadObject" });

export const batchUpload = z.object(uploadFields).meta({ id: "BatchUpload" });

export const batchObject = z
  .object({
    id: z.string().meta({ description: "Identifier of the batch.", example: EXAMPLE_ID }),
    state: z.enum(["open", "committed"]).meta({ example: "open" }),
    folder: z.string().meta({ description: "Key of the folder.", example: "site" }),
    visibility: visibility.nullable().meta({ description: "`null`: the default.", example: null }),
    onConflict: z.enum(["refuse", "replace", "keepBoth", "skip"]).meta({
      description: "What happens to files whose names are taken in the folder.",
      example: "replace",
    }),
    files: z.int().min(0).meta({ description: "The number of complete files.", example: 1204 }),
    bytes: z.int().min(0).meta({ description: "The sum of their sizes.", example: 580542139 }),
    result: z
      .object({
        added: z.int().min(0).meta({ example: 1200 }),
        replaced: z.int().min(0).meta({ example: 4 }),
        skipped: z.int().min(0).meta({ example: 0 }),
        committedAt: timestamp,
      })
      .meta({ typeName: "BatchResult" })
      .nullable()
      .meta({ description: "`null`: the batch is not committed.", example: null }),
    createdAt: timestamp,
    expiresAt: timestamp.meta({
      description: "UTC. When the batch is removed, unless more arrives before.",
    }),
  })
  .meta({ id: "Batch", typeName: "BatchObject" });

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
  .meta({ id: "BatchMember" });
