import { ZoomIn, ZoomOut } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "../../../components/icon-button.tsx";

export interface ZoomBarProps {
  readonly percent: number | undefined;
  readonly canZoomOut: boolean;
  readonly onZoomIn: () => void;
  readonly onZoomOut: () => void;
  /** Before the buttons, such as the page. */
  readonly before?: ReactNode;
  readonly children: ReactNode;
}

/** Buttons to zoom; the children are zoom levels. */
export function ZoomBar(props: ZoomBarProps) {
  const { percent, canZoomOut, onZoomIn, onZoomOut, before, children } = props;
  return (
    <div className="absolute bottom-4 left-1/2 flex -translate-x-1/2 items-center rounded-lg border border-line bg-surface p-0.5 text-ink shadow-pop scheme-dark">
      {before}
      <IconButton label="Zoom out" Icon={ZoomOut} disabled={!canZoomOut} onClick={onZoomOut} />
      <output aria-label="Zoom" className="w-13 text-center text-muted text-sm tabular-nums">
        {percent !== undefined && `${percent}%`}
      </output>
      <IconButton label="Zoom in" Icon={ZoomIn} onClick={onZoomIn} />
      {children}
    </div>
  );
}

export interface ZoomLevelProps {
  readonly label: string;
  readonly isCurrent: boolean;
  readonly onSelect: () => void;
  readonly children: string;
}

/** A button for a zoom level. */
export function ZoomLevel({ label, isCurrent, onSelect, children }: ZoomLevelProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-pressed={isCurrent}
      data-tooltip={label}
      onClick={onSelect}
      className="h-9 min-w-9 rounded-md px-2 text-muted text-sm transition-colors duration-100 hover:bg-press hover:text-ink aria-pressed:bg-press aria-pressed:text-ink md:h-8"
    >
      {children}
    </button>
  );
}
