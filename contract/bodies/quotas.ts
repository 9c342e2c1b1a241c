import { z } from "zod";
import { oneOrMore } from "./common.ts";
import { oneFolder } from "./folders.ts";

const LIMIT = "must be a whole number of at least 0, or null";

const limit = (what: string, example: number) =>
  z
    .int({ error: LIMIT })
    .min(0, { error: LIMIT })
    .nullable()
    .optional()
    .meta({ description: `At most this many ${what}. \`null\`: no limit.`, example });

export const setQuotaBody = z
  .object({
    ...oneFolder,
    maxBytes: limit("bytes", 10_737_418_240),
    maxFiles: limit("files", 100_000),
  })
  .meta(oneOrMore("maxBytes", "maxFiles"));
