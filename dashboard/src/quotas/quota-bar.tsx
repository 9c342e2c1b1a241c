import { formatBytes } from "../../../contract/text/format-bytes.ts";
import type { Quota } from "../../../sdk/src/holdall.ts";
import { quotaShare, quotaState } from "./quota-share.ts";

const FILLS = { free: "bg-accent", "nearly full": "bg-warn", full: "bg-bad" } as const;

const count = new Intl.NumberFormat();

/** Shows the use of a quota: the numbers, and a bar for the limit that is nearest. */
export function QuotaBar({ quota }: { readonly quota: Quota }) {
  const { folder, maxBytes, maxFiles, usedBytes, usedFiles } = quota;
  const percent = Math.min(100, quotaShare(quota) * 100);
  const texts = [
    maxBytes === null ? undefined : `${formatBytes(usedBytes)} of ${formatBytes(maxBytes)}`,
    maxFiles === null ? undefined : `${count.format(usedFiles)} of ${count.format(maxFiles)} files`,
  ].filter((text) => text !== undefined);
  return (
    <div>
      <p className="text-muted text-sm tabular-nums">{texts.join(" · ")}</p>
      {/* biome-ignore lint/a11y/useSemanticElements: the native meter looks different in every browser. */}
      <div
        role="meter"
        aria-label={`Quota of ${folder.key}`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(percent)}
        aria-valuetext={texts.join(", ")}
        className="forced-track mt-1.5 h-2 overflow-hidden rounded-full bg-press"
      >
        <div
          className={`forced-fill h-full rounded-full ${percent > 0 ? "min-w-1" : ""} ${FILLS[quotaState(quota)]}`}
          style={{ width: `${percent}%` }}
        />
      </div>
    </div>
  );
}
