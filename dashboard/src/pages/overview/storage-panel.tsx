import { formatBytes } from "../../../../contract/text/format-bytes.ts";
import { formatExactBytes } from "../../../../contract/text/format-exact-bytes.ts";
import type { OverviewObject } from "../../../../sdk/src/holdall.ts";
import { Figure, FigureList } from "../../components/figure-list.tsx";
import { Notice } from "../../components/notice.tsx";
import { Panel } from "../../components/panel.tsx";

export interface StoragePanelProps {
  readonly storage: OverviewObject["storage"];
  /** Free space, in bytes, that uploads must leave; undefined while unknown. */
  readonly reservedSpace: number | undefined;
}

const count = new Intl.NumberFormat();

/** Used and free space. */
export function StoragePanel({ storage, reservedSpace }: StoragePanelProps) {
  const { used, free, files, folders, trash, versions } = storage;
  const isFull = free !== null && reservedSpace !== undefined && free <= reservedSpace;
  return (
    <Panel title="Storage">
      <div className="flex flex-col gap-2">
        <p className="flex flex-wrap items-baseline justify-between gap-x-4">
          <span>
            <strong className="font-semibold text-2xl tracking-tight tabular-nums">
              {formatBytes(used)}
            </strong>{" "}
            <span className="ml-0.5 text-muted">used</span>
          </span>
          {free !== null && (
            <span className="text-muted tabular-nums">{formatBytes(free)} free on the volume</span>
          )}
        </p>
        {free === null ? (
          <p className="text-muted text-sm">This storage doesn't report its free space.</p>
        ) : (
          // biome-ignore lint/a11y/useSemanticElements: the native meter looks different in every browser.
          <div
            role="meter"
            aria-label="Storage used"
            aria-valuemin={0}
            aria-valuemax={used + free}
            aria-valuenow={used}
            aria-valuetext={`${formatBytes(used)} of ${formatBytes(used + free)}`}
            className="forced-track h-2.5 overflow-hidden rounded-full bg-press"
          >
            <div
              className={`forced-fill h-full bg-accent ${used > 0 ? "min-w-1" : ""}`}
              style={{ width: `${(used / Math.max(1, used + free)) * 100}%` }}
            />
          </div>
        )}
        {isFull && (
          <Notice tone="warn">
            Uploads are refused: {formatExactBytes(reservedSpace)} are reserved on the volume.
            Delete files or free up space.
          </Notice>
        )}
      </div>
      <FigureList>
        <Figure name="Files" value={count.format(files)} />
        <Figure name="Folders" value={count.format(folders)} />
        {trash > 0 && <Figure name="In the trash" value={formatBytes(trash)} />}
        {versions !== null && versions > 0 && (
          <Figure name="Earlier versions" value={formatBytes(versions)} />
        )}
        <Figure name="Average size" value={files === 0 ? "–" : formatBytes(used / files)} />
        <Figure
          name="Reserved"
          value={reservedSpace === undefined ? "–" : formatExactBytes(reservedSpace)}
        />
      </FigureList>
    </Panel>
  );
}
