import type { KeyboardEvent, PointerEvent } from "react";
import { limitTreeWidth, TREE_WIDTH } from "./tree-width.ts";

export interface TreeResizerProps {
  /** In pixels. */
  readonly width: number;
  readonly onChange: (width: number) => void;
}

const STEP = 24;

/** The edge of the tree, which widens it by dragging or by keyboard (WAI-ARIA window splitter). */
export function TreeResizer({ width, onChange }: TreeResizerProps) {
  const handlePointer = (event: PointerEvent<HTMLElement>) => {
    const { currentTarget: edge } = event;
    const left = edge.parentElement?.getBoundingClientRect().left ?? 0;
    event.preventDefault();
    edge.setPointerCapture(event.pointerId);
    edge.onpointermove = ({ clientX }) => onChange(limitTreeWidth(clientX - left));
    edge.onlostpointercapture = () => {
      edge.onpointermove = null;
    };
  };
  const handleKey = (event: KeyboardEvent) => {
    const widths: Record<string, number> = {
      ArrowLeft: width - STEP,
      ArrowRight: width + STEP,
      Home: TREE_WIDTH.min,
      End: TREE_WIDTH.max,
    };
    const next = widths[event.key];
    if (next === undefined) return;
    event.preventDefault();
    onChange(limitTreeWidth(next));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved.
    <div
      role="separator"
      tabIndex={0}
      aria-label="Width of the folder tree"
      aria-orientation="vertical"
      aria-valuemin={TREE_WIDTH.min}
      aria-valuemax={TREE_WIDTH.max}
      aria-valuenow={width}
      aria-valuetext={`${width} pixels`}
      onPointerDown={handlePointer}
      onKeyDown={handleKey}
      onDoubleClick={() => onChange(TREE_WIDTH.initial)}
      className="absolute inset-y-0 -right-1 z-10 w-2 cursor-col-resize touch-none transition-colors hover:bg-accent-line focus-visible:bg-accent-line focus-visible:outline-none active:bg-accent-line forced-colors:focus-visible:outline-2"
    />
  );
}
