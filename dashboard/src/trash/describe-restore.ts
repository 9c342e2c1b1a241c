import type { RestoreResult } from "../../../sdk/src/holdall.ts";
import { formatCount } from "../text/format-count.ts";
import { displayName, parentKey } from "../text/key-parts.ts";

/** Describes a restore in one sentence; undefined if nothing was restored. */
export function describeRestored({ restored }: RestoreResult): string | undefined {
  const [first] = restored;
  if (first === undefined) return undefined;
  if (restored.length === 1) {
    const place = `“${displayName(parentKey(first.key) ?? "")}”`;
    const name = `“${displayName(first.key)}”`;
    return first.renamed
      ? `Restored to ${place} as ${name}, because the name was taken.`
      : `Restored ${name} to ${place}.`;
  }
  const count = formatCount(restored.length, "item");
  const renamed = restored.filter((each) => each.renamed).length;
  return renamed === 0
    ? `Restored ${count}.`
    : `Restored ${count}, ${renamed} of them under a new name.`;
}

/** Why entries are still in the trash; undefined if all were restored. */
export function describeFailed({ failed }: RestoreResult): string | undefined {
  const [first] = failed;
  if (first === undefined) return undefined;
  return `${formatCount(failed.length, "item")} couldn't be restored: ${first.reason}`;
}
