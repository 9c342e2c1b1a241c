import { formatBytes } from "../../../../contract/text/format-bytes.ts";
import { formatExactBytes } from "../../../../contract/text/format-exact-bytes.ts";
import { Figure, FigureList } from "../../components/figure-list.tsx";
import { Panel } from "../../components/panel.tsx";
import { formatCount } from "../../text/format-count.ts";
import type { HealthPanelProps } from "./check-panel.tsx";

/** The space on the volume, and what takes it. */
export function SpacePanel({ health: { storage, catalog, uploads, parts } }: HealthPanelProps) {
  const { volume } = storage;
  const isOnS3 = parts.some(({ kind }) => kind === "s3");
  return (
    <Panel title="Space">
      {volume !== null && <VolumeMeter volume={volume} />}
      {isOnS3 && (
        <p className="text-muted text-sm">
          The files are in S3 storage, which doesn't report its free space. The volume holds only
          what the server needs itself.
        </p>
      )}
      <FigureList>
        <Figure
          name="Files"
          value={`${formatCount(storage.files, "file")}, ${formatBytes(storage.bytes)}`}
        />
        <Figure name="Trash" value={formatBytes(storage.trash.bytes)} />
        <Figure name="Earlier versions" value={formatBytes(storage.versions.bytes)} />
        <Figure name="Database" value={catalog.bytes === null ? "–" : formatBytes(catalog.bytes)} />
        <Figure name="Open uploads" value={uploads.open} />
        <Figure name="Reserved" value={formatExactBytes(storage.reserved)} />
      </FigureList>
    </Panel>
  );
}

interface VolumeMeterProps {
  readonly volume: { readonly free: number; readonly size: number };
}

function VolumeMeter({ volume: { free, size } }: VolumeMeterProps) {
  const used = size - free;
  return (
    <div className="flex flex-col gap-2">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span>
          <strong className="font-semibold text-2xl tracking-tight tabular-nums">
            {formatBytes(free)}
          </strong>{" "}
          <span className="ml-0.5 text-muted">free</span>
        </span>
        <span className="text-muted tabular-nums">of {formatBytes(size)} on the volume</span>
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: the native meter looks different in every browser. */}
      <div
        role="meter"
        aria-label="Volume used"
        aria-valuemin={0}
        aria-valuemax={size}
        aria-valuenow={used}
        aria-valuetext={`${formatBytes(used)} of ${formatBytes(size)}`}
        className="forced-track h-2.5 overflow-hidden rounded-full bg-press"
      >
        <div
          className="forced-fill h-full bg-accent"
          style={{ width: `${(used / Math.max(1, size)) * 100}%` }}
        />
      </div>
    </div>
  );
}
