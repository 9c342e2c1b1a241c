import { z } from "zod";
import type { StoredSettings } from "../../catalog/port/credentials.ts";

/** The state of the last scrub, finished or not. Its JSON is an API. */
export type ScrubState = z.infer<typeof scrubState>;

const damage = z.object({
  type: z.enum(["missing", "damaged"]),
  id: z.string(),
  key: z.string().nullable(),
  blobId: z.number(),
  place: z.string(),
  size: z.number(),
  checksum: z.number(),
  /** Findings of earlier versions have none. */
  sha256: z.string().nullable().optional(),
  /** For "damaged". */
  reason: z.enum(["size", "checksum", "digest", "unreadable"]).optional(),
});

const scrubState = z.object({
  /** Milliseconds since the Unix epoch. */
  startedAt: z.number(),
  /** The same; null: not finished. */
  finishedAt: z.number().nullable(),
  /** The last blob that was checked. */
  position: z.number(),
  files: z.number(),
  bytes: z.number(),
  /** The number of all findings; only the first 1,000 are in `findings`. */
  found: z.number(),
  findings: z.array(damage),
  /** Ids of files with findings in the previous scrub, which are not logged again. */
  earlier: z.array(z.string()),
  /** Until it is finished: how many files the previous scrub found, and the first 1,000 of their blobs. */
  previous: z.object({ found: z.number(), blobIds: z.array(z.number()) }).optional(),
  /** It was asked for, so the next process finishes it also if scrubs are turned off. */
  requested: z.boolean().optional(),
});

const NAME = "scrub";

/** undefined: there has been no scrub, or this version cannot read its state. */
export async function readScrub(settings: StoredSettings): Promise<ScrubState | undefined> {
  const text = await settings.setting(NAME);
  if (text === undefined) return undefined;
  try {
    return scrubState.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** How many findings of the previous scrub this one has not reached yet. It reads blobs in ascending order. */
export function uncheckedFindings({ position, previous }: ScrubState): number {
  if (previous === undefined) return 0;
  return previous.found - previous.blobIds.filter((blobId) => blobId <= position).length;
}

export function saveScrub(settings: StoredSettings, state: ScrubState): Promise<void> {
  return settings.putSetting(NAME, JSON.stringify(state));
}
