import { z } from "zod";
import { moment } from "../moment.ts";

export const clearActivityBody = z.object({
  before: moment.optional().meta({
    description: "Deletes the entries from before this time.",
    example: "2026-01-31 09:30:00",
  }),
  all: z.literal(true, { error: "must be true, or left out" }).optional().meta({
    description: "Deletes every entry.",
  }),
});
