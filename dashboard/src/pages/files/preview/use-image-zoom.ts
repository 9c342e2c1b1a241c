import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { clampPan, FIT, type Frame, type Zoom, zoomBy } from "./zoom.ts";

export interface ImageZoom {
  readonly zoom: Zoom;
  /** Undefined until the image has loaded. */
  readonly frame: Frame | undefined;
  /** Call it when the image has loaded. */
  readonly measure: () => void;
  /** Does nothing until the image has loaded. */
  readonly change: (to: (before: Zoom, frame: Frame) => Zoom) => void;
}

/** Zoom of an image, which follows the size of the window and the wheel. */
export function useImageZoom(
  viewport: RefObject<HTMLElement | null>,
  image: RefObject<HTMLImageElement | null>,
): ImageZoom {
  const [zoom, setZoom] = useState<Zoom>(FIT);
  const [frame, setFrame] = useState<Frame>();
  const latest = useRef(frame);

  const measure = useCallback(() => {
    if (viewport.current === null || !image.current?.complete) return;
    const { clientWidth, clientHeight } = viewport.current;
    const { naturalWidth, naturalHeight } = image.current;
    const measured = {
      // An SVG without a size has none.
      image: { width: naturalWidth || 300, height: naturalHeight || 300 },
      viewport: { width: clientWidth, height: clientHeight },
      pixelRatio: window.devicePixelRatio,
    };
    latest.current = measured;
    setFrame(measured);
    setZoom((before) => clampPan(before, measured));
  }, [viewport, image]);

  const change = useCallback<ImageZoom["change"]>((to) => {
    const frame = latest.current;
    if (frame !== undefined) setZoom((before) => to(before, frame));
  }, []);

  useLayoutEffect(() => {
    if (viewport.current === null) return;
    const observer = new ResizeObserver(measure);
    observer.observe(viewport.current);
    return () => observer.disconnect();
  }, [viewport, measure]);

  const pixelRatio = frame?.pixelRatio;
  useEffect(() => {
    if (pixelRatio === undefined) return;
    // Another screen, or the zoom of the browser.
    const query = window.matchMedia(`(resolution: ${pixelRatio}dppx)`);
    query.addEventListener("change", measure);
    return () => query.removeEventListener("change", measure);
  }, [pixelRatio, measure]);

  useEffect(() => {
    const element = viewport.current;
    // React's wheel listeners are passive, so they cannot prevent the page from zooming.
    const handleWheel = (event: WheelEvent) => {
      event.preventDefault();
      if (element === null) return;
      const at = fromCenter(element, event.clientX, event.clientY);
      change((before, frame) => zoomBy(before, Math.exp(-event.deltaY / 300), frame, at));
    };
    element?.addEventListener("wheel", handleWheel, { passive: false });
    return () => element?.removeEventListener("wheel", handleWheel);
  }, [viewport, change]);

  return { zoom, frame, measure, change };
}

/** A point of the window, relative to the center of the element. */
export function fromCenter(element: Element, x: number, y: number): { x: number; y: number } {
  const box = element.getBoundingClientRect();
  return { x: x - box.x - box.width / 2, y: y - box.y - box.height / 2 };
}
