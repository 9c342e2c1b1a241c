import { type PointerEvent, useRef } from "react";
import { middle, type Point, pinchFactor } from "./pinch.ts";
import { fromCenter, type ImageZoom } from "./use-image-zoom.ts";
import { panBy, zoomBy } from "./zoom.ts";

/** Handlers that pan an image with one pointer, and zoom it with two fingers. */
export function useImagePointers(change: ImageZoom["change"]) {
  const pointers = useRef(new Map<number, Point>());

  const start = (event: PointerEvent) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
  };
  const move = (event: PointerEvent) => {
    const before = pointers.current.get(event.pointerId);
    if (before === undefined) return;
    const after = { x: event.clientX, y: event.clientY };
    pointers.current.set(event.pointerId, after);
    const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
    if (other === undefined) {
      change((zoom, frame) =>
        zoom.scale === "fit" ? zoom : panBy(zoom, after.x - before.x, after.y - before.y, frame),
      );
      return;
    }
    const factor = pinchFactor([before, other], [after, other]);
    const [from, to] = [middle(before, other), middle(after, other)];
    const at = fromCenter(event.currentTarget, to.x, to.y);
    change((zoom, frame) => {
      const moved = zoom.scale === "fit" ? zoom : panBy(zoom, to.x - from.x, to.y - from.y, frame);
      return zoomBy(moved, factor, frame, at);
    });
  };
  const end = (event: PointerEvent) => {
    pointers.current.delete(event.pointerId);
  };
  return { onPointerDown: start, onPointerMove: move, onPointerUp: end, onPointerCancel: end };
}
