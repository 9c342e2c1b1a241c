import { z } from "zod";

export const deletedIds = z.object({
  deleted: z.array(z.string()).meta({
    description: "The id of what is gone.",
    example: ["019c12a4e3b4722f9d3c1e5b7a90c4e8"],
  }),
});

export const nextCursor = z.string().nullable().meta({
  description: "The `cursor` of the next page; `null` on the last one.",
  example: null,
});

export const invalidName =
  "A name that is not a single path segment of 1 to 255 bytes, an unknown visibility, nothing to change, or a key that would be too long or too deep.";
