import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { middle, type Point, pinchFactor } from "../pinch.ts";

const MIN_ZOOM = 0.25;
const MAX_ZOOM = 6;
/** A mouse wheel's steps are cut to this size; a trackpad sends many small steps. */
const MAX_WHEEL_STEP = 25;
const PIXELS_PER_LINE = 16;

/** A point of a page, in parts of its width and height. */
interface PagePoint extends Point {
  readonly page: Element;
}

interface ZoomState {
  /** 1: the pages fit into the window. */
  readonly zoom: number;
  /** A point of a page that is to be at this point of the window. */
  readonly anchor: (PagePoint & { readonly at: Point }) | undefined;
}

export interface PageZoom {
  readonly zoom: number;
  readonly canZoomOut: boolean;
  /** Zooms around the top of the visible area. */
  readonly zoomBy: (factor: number) => void;
  readonly fit: () => void;
}

/** Zoom of the pages in a scrolling area: by wheel with Ctrl, as a trackpad sends it, too, and by two fingers. */
export function usePageZoom(container: RefObject<HTMLElement | null>, isLoaded: boolean): PageZoom {
  const [state, setState] = useState<ZoomState>({ zoom: 1, anchor: undefined });
  const anchored = useRef<PagePoint>(undefined);

  /** The content at the point `from` of the window gets to `to`. */
  const change = useCallback(
    (next: (before: number) => number, from: Point, to = from) => {
      // Until the pages have their new size, their points are where they were.
      anchored.current ??= pagePointAt(container.current, from);
      const anchor = anchored.current && { ...anchored.current, at: to };
      setState(({ zoom }) => ({
        zoom: Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, next(zoom))),
        anchor,
      }));
    },
    [container],
  );

  useLayoutEffect(() => {
    anchored.current = undefined;
    const area = container.current;
    const { anchor } = state;
    if (area === null || anchor === undefined) return;
    const { left, top, width, height } = anchor.page.getBoundingClientRect();
    area.scrollLeft += left + anchor.x * width - anchor.at.x;
    area.scrollTop += top + anchor.y * height - anchor.at.y;
  }, [container, state]);

  useEffect(() => {
    const area = container.current;
    if (area === null || !isLoaded) return;
    const stopping = new AbortController();
    // React's listeners are passive, so they cannot keep the browser from zooming the whole page.
    const options = { passive: false, signal: stopping.signal };
    // Also above the pages, such as over the buttons: the browser would zoom the whole dashboard there.
    (area.closest("dialog") ?? area).addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey) return;
        event.preventDefault();
        const factor = Math.exp(-wheelStep(event) / 100);
        change((zoom) => zoom * factor, { x: event.clientX, y: event.clientY });
      },
      options,
    );
    let fingers: readonly [Point, Point] | undefined;
    const track = (event: TouchEvent) => {
      fingers = fingersOf(event);
    };
    for (const name of ["touchstart", "touchend", "touchcancel"] as const) {
      area.addEventListener(name, track, { passive: true, signal: stopping.signal });
    }
    area.addEventListener(
      "touchmove",
      (event) => {
        const before = fingers;
        fingers = fingersOf(event);
        if (before === undefined || fingers === undefined) return;
        if (event.cancelable) event.preventDefault();
        const factor = pinchFactor(before, fingers);
        change((zoom) => zoom * factor, middle(...before), middle(...fingers));
      },
      options,
    );
    return () => stopping.abort();
  }, [container, isLoaded, change]);

  const changeAtTop = (next: (before: number) => number) => {
    const box = container.current?.getBoundingClientRect();
    if (box !== undefined) change(next, { x: box.left + box.width / 2, y: box.top });
  };
  return {
    zoom: state.zoom,
    canZoomOut: state.zoom > MIN_ZOOM,
    zoomBy: (factor) => changeAtTop((zoom) => zoom * factor),
    fit: () => changeAtTop(() => 1),
  };
}

/** In pixels, of at most one step of a mouse. */
function wheelStep({ deltaY, deltaMode }: WheelEvent): number {
  const pixels = deltaMode === WheelEvent.DOM_DELTA_PIXEL ? deltaY : deltaY * PIXELS_PER_LINE;
  return Math.min(MAX_WHEEL_STEP, Math.max(-MAX_WHEEL_STEP, pixels));
}

/** undefined: not exactly two. */
function fingersOf({ touches }: TouchEvent): readonly [Point, Point] | undefined {
  const [one, other] = touches;
  if (one === undefined || other === undefined || touches.length > 2) return undefined;
  return [
    { x: one.clientX, y: one.clientY },
    { x: other.clientX, y: other.clientY },
  ];
}

/** On the page that is nearest to the point of the window; undefined: there are no pages. */
function pagePointAt(area: Element | null, { x, y }: Point): PagePoint | undefined {
  const pages = [...(area?.querySelectorAll("[data-page]") ?? [])];
  const page = pages.find((each) => each.getBoundingClientRect().bottom >= y) ?? pages.at(-1);
  if (page === undefined) return undefined;
  const { left, top, width, height } = page.getBoundingClientRect();
  return { page, x: (x - left) / width, y: (y - top) / height };
}
