import { z } from "zod";
import { EXAMPLE_FOLDER_ID } from "../example.ts";

export const deletedIds = z.object({
  deleted: z.array(z.string()).meta({
    description: "The id of the deleted object.",
    example: [EXAMPLE_FOLDER_ID],
  }),
});

export const nextCursor = z.string().nullable().meta({
  description: "The `cursor` of the next page; `null` on the last page.",
  example: null,
});

/** The failures of operations on one file. */
export const oneFileErrors = {
  400: "Neither or both of `id` and `key` are given.",
  404: "The file does not exist.",
};

export const invalidName =
  "The name is not a single path segment of 1 to 255 bytes, the visibility is unknown, no field to change is given, or the resulting key is too long or too deep.";
