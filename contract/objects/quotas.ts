import { z } from "zod";
import { EXAMPLE_FOLDER_ID } from "../example.ts";

const limit = (what: string, example: number) =>
  z
    .int()
    .min(0)
    .nullable()
    .meta({ description: `At most this many ${what}. \`null\`: no limit.`, example });

export const quotaObject = z
  .object({
    folder: z.object({
      id: z.string().meta({ description: "Identifier of the folder.", example: EXAMPLE_FOLDER_ID }),
      key: z.string().meta({ description: "Key of the folder.", example: "photos" }),
    }),
    maxBytes: limit("bytes", 10_737_418_240),
    maxFiles: limit("files", 100_000),
    usedBytes: z.int().min(0).meta({
      description:
        "Size of all files in the folder, of those in the trash that were deleted from it, and of the earlier versions of both.",
      example: 8_589_934_592,
    }),
    usedFiles: z
      .int()
      .min(0)
      .meta({ description: "The number of these files and versions.", example: 1204 }),
    isExceeded: z.boolean().meta({
      description:
        "Whether more is used than a limit allows, as after a smaller limit was set. Nothing is deleted then; additions are refused.",
      example: false,
    }),
  })
  .meta({ id: "Quota" });
