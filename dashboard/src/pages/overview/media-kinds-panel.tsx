import { useState } from "react";
import { formatBytes } from "../../../../contract/text/format-bytes.ts";
import type { OverviewObject } from "../../../../sdk/src/holdall.ts";
import { Segmented } from "../../components/fields/segmented.tsx";
import { MEDIA_KINDS } from "../../components/media-kinds.ts";
import { Panel } from "../../components/panel.tsx";
import { formatCount } from "../../text/format-count.ts";
import { MediaKindIcon } from "../files/kind-icon.tsx";
import { ShareBar } from "./share-bar.tsx";

const MEASURES = [
  { value: "bytes", label: "Size" },
  { value: "files", label: "Files" },
] as const;

const share = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 1 });

/** Storage by media kind. Every bar has its label and numbers, so color carries no meaning alone. */
export function MediaKindsPanel({ types }: { readonly types: OverviewObject["types"] }) {
  const [measure, setMeasure] = useState<"bytes" | "files">("bytes");
  const kinds = types
    .filter(({ files }) => files > 0)
    .toSorted((one, other) => other[measure] - one[measure]);
  const total = Math.max(
    1,
    kinds.reduce((sum, each) => sum + each[measure], 0),
  );
  return (
    <Panel
      title="By type"
      aside={<Segmented label="Measure" value={measure} onChange={setMeasure} options={MEASURES} />}
    >
      <ul className="flex flex-col gap-3.5 text-sm tabular-nums">
        {kinds.map((each) => {
          const { label, fill } = MEDIA_KINDS[each.type];
          return (
            <li key={each.type}>
              <p className="flex items-center gap-x-4">
                <span className="flex min-w-0 flex-1 items-center gap-2 font-medium">
                  <MediaKindIcon kind={each.type} className="size-4.5" />
                  {label}
                </span>
                <span className="text-muted">{formatCount(each.files, "file")}</span>
                <span className="w-18 text-right">{formatBytes(each.bytes)}</span>
                <span className="w-13 text-right text-muted max-sm:hidden">
                  {formatShare(each[measure] / total)}
                </span>
              </p>
              <ShareBar share={each[measure] / total} fill={fill} />
            </li>
          );
        })}
      </ul>
      {kinds.length === 0 && <p className="text-muted">No files yet.</p>}
    </Panel>
  );
}

const formatShare = (part: number): string =>
  part > 0 && part < 0.001 ? `< ${share.format(0.001)}` : share.format(part);
