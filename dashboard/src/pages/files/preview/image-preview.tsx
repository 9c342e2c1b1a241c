import { Maximize, ZoomIn, ZoomOut } from "lucide-react";
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { holdall } from "../../../app/client.ts";
import { IconButton } from "../../../components/icon-button.tsx";
import { ContentArea } from "./content-area.tsx";
import { DetailsPreview } from "./details-preview.tsx";
import type { PreviewBodyProps } from "./preview-body-props.ts";
import { clampPan, FIT, fitSize, type Size, type Zoom, zoomBy } from "./zoom.ts";

const ZOOM_STEP = 1.5;
const PAN_STEP = 80;

/** An image fitted to the window; zooms by wheel, keys, buttons and double click. */
export function ImagePreview({ file }: PreviewBodyProps) {
  const viewport = useRef<HTMLDivElement>(null);
  const image = useRef<HTMLImageElement>(null);
  const [zoom, setZoom] = useState<Zoom>(FIT);
  const [failed, setFailed] = useState(false);
  const panStart = useRef<{ readonly x: number; readonly y: number; readonly from: Zoom }>(
    undefined,
  );

  const sizes = (): { fit: Size; viewport: Size } => {
    const { clientWidth = 1, clientHeight = 1 } = viewport.current ?? {};
    const { naturalWidth: width = 1, naturalHeight: height = 1 } = image.current ?? {};
    const size = { width: clientWidth, height: clientHeight };
    return { fit: fitSize({ width: width || 300, height: height || 300 }, size), viewport: size };
  };
  const change = (to: (before: Zoom) => Zoom) =>
    setZoom((before) => {
      const { fit, viewport } = sizes();
      return clampPan(to(before), fit, viewport);
    });
  const latest = useRef(change);
  latest.current = change;

  useEffect(() => {
    const element = viewport.current;
    // React's wheel listeners are passive, so they cannot prevent the page from zooming.
    const handleWheel = (event: WheelEvent) => {
      event.preventDefault();
      const box = viewport.current?.getBoundingClientRect() ?? new DOMRect();
      const at = {
        x: event.clientX - box.x - box.width / 2,
        y: event.clientY - box.y - box.height / 2,
      };
      latest.current((before) => zoomBy(before, Math.exp(-event.deltaY / 300), at));
    };
    element?.addEventListener("wheel", handleWheel, { passive: false });
    return () => element?.removeEventListener("wheel", handleWheel);
  }, []);

  const handleKey = (event: KeyboardEvent) => {
    const pan = {
      ArrowLeft: [PAN_STEP, 0],
      ArrowRight: [-PAN_STEP, 0],
      ArrowUp: [0, PAN_STEP],
      ArrowDown: [0, -PAN_STEP],
    };
    const by = Object.entries(pan).find(([key]) => key === event.key)?.[1];
    if (event.key === "+" || event.key === "=") change((before) => zoomBy(before, ZOOM_STEP));
    else if (event.key === "-") change((before) => zoomBy(before, 1 / ZOOM_STEP));
    else if (event.key === "0") setZoom(FIT);
    else if (by !== undefined && zoom.scale > 1) {
      change((before) => ({ ...before, x: before.x + (by[0] ?? 0), y: before.y + (by[1] ?? 0) }));
    } else return;
    event.preventDefault();
  };

  const startPan = (event: PointerEvent) => {
    if (zoom.scale === 1 || event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    panStart.current = { x: event.clientX, y: event.clientY, from: zoom };
  };
  const pan = (event: PointerEvent) => {
    const start = panStart.current;
    if (start === undefined) return;
    const { x, y, from } = start;
    change(() => ({ ...from, x: from.x + event.clientX - x, y: from.y + event.clientY - y }));
  };
  const endPan = () => {
    panStart.current = undefined;
  };

  if (failed) return <DetailsPreview file={file} />;
  return (
    <>
      <ContentArea
        ref={viewport}
        label={`${file.name}, zoomed to ${Math.round(zoom.scale * 100)}%. Press plus or minus to zoom.`}
        onKeyDown={handleKey}
        onPointerDown={startPan}
        onPointerMove={pan}
        onPointerUp={endPan}
        onPointerCancel={endPan}
        onDoubleClick={() => setZoom((before) => (before.scale > 1 ? FIT : zoomBy(before, 2.5)))}
        className={`grid min-h-0 flex-1 touch-none grid-rows-[minmax(0,1fr)] place-items-center overflow-hidden bg-side p-4 ${zoom.scale > 1 ? "cursor-grab active:cursor-grabbing" : "cursor-zoom-in"}`}
      >
        <img
          ref={image}
          src={holdall.url(file)}
          alt={file.name}
          draggable={false}
          onError={() => setFailed(true)}
          className="max-h-full min-h-0 max-w-full select-none object-contain"
          style={{ transform: `translate(${zoom.x}px, ${zoom.y}px) scale(${zoom.scale})` }}
        />
      </ContentArea>
      <div className="absolute bottom-4 left-1/2 flex -translate-x-1/2 items-center rounded-lg border border-line bg-surface p-0.5 shadow-pop">
        <IconButton
          label="Zoom out"
          Icon={ZoomOut}
          disabled={zoom.scale === 1}
          onClick={() => change((before) => zoomBy(before, 1 / ZOOM_STEP))}
        />
        <output className="w-14 text-center text-muted text-sm tabular-nums">
          {Math.round(zoom.scale * 100)}%
        </output>
        <IconButton
          label="Zoom in"
          Icon={ZoomIn}
          onClick={() => change((before) => zoomBy(before, ZOOM_STEP))}
        />
        <IconButton
          label="Fit to window"
          Icon={Maximize}
          disabled={zoom.scale === 1}
          onClick={() => setZoom(FIT)}
        />
      </div>
    </>
  );
}
