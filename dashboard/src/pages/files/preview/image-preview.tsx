import { type KeyboardEvent, type MouseEvent, useRef, useState } from "react";
import { isCutOff } from "../../../../../contract/pictures/is-cut-off.ts";
import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/connection/client.ts";
import { ContentArea } from "./content-area.tsx";
import { DetailsPreview } from "./details-preview.tsx";
import { damagedNote } from "./no-preview-reason.ts";
import type { PreviewBodyProps } from "./preview-body-props.ts";
import { useImagePointers } from "./use-image-pointers.ts";
import { fromCenter, useImageZoom } from "./use-image-zoom.ts";
import {
  actualScale,
  FIT,
  type Frame,
  fitScale,
  panBy,
  percentOf,
  placeImage,
  type Zoom,
  zoomBy,
  zoomTo,
} from "./zoom.ts";
import { ZoomBar, ZoomLevel } from "./zoom-bar.tsx";

const ZOOM_STEP = 1.5;
const PAN_STEP = 80;

/** The effect of a key on the image; undefined: nothing. */
function zoomByKey(key: string, isFit: boolean): ((zoom: Zoom, frame: Frame) => Zoom) | undefined {
  const [x, y] = PANS[key] ?? [0, 0];
  if (key === "+" || key === "=") return (zoom, frame) => zoomBy(zoom, ZOOM_STEP, frame);
  if (key === "-") return (zoom, frame) => zoomBy(zoom, 1 / ZOOM_STEP, frame);
  if (key === "0") return () => FIT;
  if (key === "1") return (zoom, frame) => zoomTo(zoom, actualScale(frame), frame);
  // A fitted image hides nothing, so arrows go through the files.
  if (key in PANS && !isFit) return (zoom, frame) => panBy(zoom, x, y, frame);
  return undefined;
}

const PANS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [PAN_STEP, 0],
  ArrowRight: [-PAN_STEP, 0],
  ArrowUp: [0, PAN_STEP],
  ArrowDown: [0, -PAN_STEP],
};

async function readFile({ id, size }: FileObject, lastBytes = size): Promise<Response> {
  const range = { start: Math.max(0, size - lastBytes), end: size - 1 };
  const { response } = await holdall.files.download(id, { range });
  return response;
}

/** An image fitted to the window; zooms by wheel, keys, fingers, buttons and double click. */
export function ImagePreview({ file }: PreviewBodyProps) {
  const viewport = useRef<HTMLDivElement>(null);
  const image = useRef<HTMLImageElement>(null);
  const [failed, setFailed] = useState(false);
  const [isDamaged, setDamaged] = useState(false);
  const { zoom, frame, measure, change } = useImageZoom(viewport, image);
  const pointers = useImagePointers(change);
  const isFit = zoom.scale === "fit";
  const percent = frame && percentOf(zoom, frame);
  const canZoomOut =
    frame !== undefined && (!isFit || fitScale(frame) > actualScale(frame) * 1.001);

  const handleKey = (event: KeyboardEvent) => {
    const to = zoomByKey(event.key, isFit);
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    change(to);
  };
  const handleDoubleClick = ({ currentTarget, clientX, clientY }: MouseEvent) => {
    const at = fromCenter(currentTarget, clientX, clientY);
    change((before, frame) => {
      if (before.scale !== "fit") return FIT;
      // To the actual size, or larger if that is hardly a difference.
      const actual = actualScale(frame);
      const fit = fitScale(frame);
      return zoomTo(before, actual > fit * 1.2 ? actual : fit * 2.5, frame, at);
    });
  };

  if (failed) {
    return (
      <DetailsPreview file={file} note={file.size === 0 ? undefined : damagedNote("picture")} />
    );
  }
  return (
    <>
      <ContentArea
        ref={viewport}
        label={`${file.name}, ${isFit ? "fitted to the window" : "zoomed"}, ${percent ?? 100}%. Press plus or minus to zoom, 1 for the actual size, 0 to fit.`}
        data-zoomed={isFit ? undefined : ""}
        onKeyDown={handleKey}
        onDoubleClick={handleDoubleClick}
        {...pointers}
        className={`relative grid min-h-0 flex-1 touch-none grid-rows-[minmax(0,1fr)] place-items-center overflow-hidden bg-side text-ink scheme-dark ${frame ? "" : "p-4"} ${isFit ? "cursor-zoom-in" : "cursor-grab active:cursor-grabbing"}`}
      >
        <img
          ref={image}
          src={holdall.url(file)}
          alt={file.name}
          draggable={false}
          onLoad={(event) => {
            measure();
            isCutOff(event.currentTarget, file.mimeType, (lastBytes) =>
              readFile(file, lastBytes),
            ).then(setDamaged, () => {});
          }}
          onError={() => setFailed(true)}
          className={`select-none ${frame ? "absolute max-w-none" : "max-h-full min-h-0 max-w-full object-contain"}`}
          style={frame && placeImage(zoom, frame)}
        />
      </ContentArea>
      {isDamaged && (
        <p
          role="status"
          className="absolute top-4 left-1/2 w-max max-w-[calc(100%-2rem)] -translate-x-1/2 rounded-lg border border-line bg-surface px-3 py-2 text-ink text-sm shadow-pop scheme-dark"
        >
          This picture is damaged: its end is missing.
        </p>
      )}
      <ZoomBar
        percent={percent}
        canZoomOut={canZoomOut}
        onZoomOut={() => change((before, frame) => zoomBy(before, 1 / ZOOM_STEP, frame))}
        onZoomIn={() => change((before, frame) => zoomBy(before, ZOOM_STEP, frame))}
      >
        <ZoomLevel label="Fit to window" isCurrent={isFit} onSelect={() => change(() => FIT)}>
          Fit
        </ZoomLevel>
        <ZoomLevel
          label="1:1 actual size"
          isCurrent={percent === 100}
          onSelect={() => change((before, frame) => zoomTo(before, actualScale(frame), frame))}
        >
          1:1
        </ZoomLevel>
      </ZoomBar>
    </>
  );
}
