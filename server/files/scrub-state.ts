import { z } from "zod";
import type { StoredSettings } from "../catalog/port.ts";

/** What is kept of the last scrub, finished or not. As JSON this is what programs read. */
export type ScrubState = z.infer<typeof scrubState>;

const damage = z.object({
  type: z.enum(["missing", "damaged"]),
  id: z.string(),
  key: z.string().nullable(),
  blobId: z.number(),
  place: z.string(),
  size: z.number(),
  checksum: z.number(),
  /** Of damaged bytes. */
  reason: z.enum(["size", "checksum", "unreadable"]).optional(),
});

const scrubState = z.object({
  /** Milliseconds since the Unix epoch, as the next. */
  startedAt: z.number(),
  /** null: it is under way. */
  finishedAt: z.number().nullable(),
  /** The last blob that was read. */
  position: z.number(),
  files: z.number(),
  bytes: z.number(),
  /** How many findings there were, of which the first are kept. */
  found: z.number(),
  findings: z.array(damage),
  /** Files of earlier findings, which are not logged again. */
  earlier: z.array(z.string()),
});

const NAME = "scrub";

/** undefined: there has been none, or what is kept is of a form that this version does not know. */
export async function readScrub(settings: StoredSettings): Promise<ScrubState | undefined> {
  const text = await settings.setting(NAME);
  if (text === undefined) return undefined;
  try {
    return scrubState.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

export function keepScrub(settings: StoredSettings, state: ScrubState): Promise<void> {
  return settings.putSetting(NAME, JSON.stringify(state));
}
