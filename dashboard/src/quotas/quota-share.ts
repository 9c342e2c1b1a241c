import type { Quota } from "../../../sdk/src/holdall.ts";

/** From this share on, a quota counts as nearly full. */
const NEARLY_FULL = 0.9;

export type QuotaState = "free" | "nearly full" | "full";

type Limits = Pick<Quota, "maxBytes" | "maxFiles" | "usedBytes" | "usedFiles">;

/** How much of the limit that is nearest is used: 1 is all of it, and there may be more. */
export const quotaShare = ({ maxBytes, maxFiles, usedBytes, usedFiles }: Limits): number =>
  Math.max(shareOf(usedBytes, maxBytes), shareOf(usedFiles, maxFiles));

function shareOf(used: number, max: number | null): number {
  if (max === null) return 0;
  return max === 0 ? 1 : used / max;
}

export function quotaState(quota: Limits): QuotaState {
  const share = quotaShare(quota);
  if (share >= 1) return "full";
  return share >= NEARLY_FULL ? "nearly full" : "free";
}
