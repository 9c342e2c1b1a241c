import { type Selection, selectEach } from "../state/selection.ts";
import { type EntryLayout, entriesTouched, type Point } from "./entry-layout.ts";

/** The list or grid that a rectangle selects in. */
export interface BandedList {
  readonly entries: readonly { readonly id: string }[];
  readonly selection: Selection;
  readonly onSelection: (selection: Selection) => void;
  readonly layout: EntryLayout;
  /** The height of the header, which stays at the top while the entries scroll. */
  readonly headerHeight: number;
}

/** The main button in `buttons` of an event. */
const MAIN_BUTTON = 1;
/** Movement, in pixels, that still counts as a click. */
const CLICK_TOLERANCE = 5;
/** The list scrolls if the mouse is so near to an edge, or beyond it. */
const EDGE = 32;
/** Pixels per second, for each pixel past that. */
const SCROLL_SPEED = 16;
const MAX_SCROLL_SPEED = 2_400;

/**
 * Selects what the rectangle from a press of the mouse to its position touches, until it is released; with
 * Ctrl, Command or Shift in addition to what is selected. Escape brings back the selection from before.
 */
export function followRubberBand(
  scroller: HTMLElement,
  press: PointerEvent,
  read: () => BandedList,
): void {
  const before = read().selection;
  const adds = press.ctrlKey || press.metaKey || press.shiftKey;
  const start = toContent(scroller, press);
  const band = createBand();
  const released = new AbortController();
  let state: "pressed" | "drawing" | "cancelled" = "pressed";
  let pointer: Point = press;
  let lastTouched = "";
  let lastTime = performance.now();
  let owed = 0;

  const selectTouched = () => {
    const { entries, layout, onSelection } = read();
    const end = toContent(scroller, pointer);
    const touched = entriesTouched(layout, start, end);
    // Most moves touch the same entries as the one before.
    const summary = [touched[0], touched.at(-1), touched.length, entries.length].join();
    if (summary === lastTouched) return;
    lastTouched = summary;
    const ids = touched.flatMap((index) => entries[index]?.id ?? []);
    onSelection(selectEach(before, end.y < start.y ? ids.toReversed() : ids, adds));
  };

  const update = (time: number) => {
    if (state !== "drawing") return;
    if (!scroller.isConnected) return release();
    const view = viewOf(scroller, read().headerHeight);
    // Browsers round positions, so fractions are kept for the next frame.
    owed += (scrollSpeed(pointer.y, press.y, view) * Math.min(100, time - lastTime)) / 1_000;
    lastTime = time;
    scroller.scrollTop += Math.trunc(owed);
    owed -= Math.trunc(owed);
    place(band, fromContent(scroller, start), pointer, view);
    selectTouched();
    requestAnimationFrame(update);
  };

  const release = () => {
    if (state === "drawing") selectTouched();
    if (state !== "pressed") ignoreClick();
    state = "cancelled";
    band.remove();
    released.abort();
  };

  const move = (event: PointerEvent) => {
    // Another button may still be pressed.
    if ((event.buttons & MAIN_BUTTON) === 0) return release();
    pointer = event;
    if (state !== "pressed" || distance(press, event) <= CLICK_TOLERANCE) return;
    state = "drawing";
    // Also receives moves outside the window, and entries do not react to the mouse.
    scroller.setPointerCapture(press.pointerId);
    document.body.append(band);
    requestAnimationFrame(update);
  };

  const cancel = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || state !== "drawing") return;
    event.preventDefault();
    event.stopPropagation();
    state = "cancelled";
    band.remove();
    read().onSelection(before);
  };

  const refuseMenu = (event: MouseEvent) => {
    if (state !== "drawing") return;
    event.preventDefault();
    event.stopPropagation();
  };

  const options = { signal: released.signal, capture: true };
  window.addEventListener("contextmenu", refuseMenu, options);
  window.addEventListener("pointermove", move, options);
  window.addEventListener("pointerup", release, options);
  window.addEventListener("pointercancel", release, options);
  window.addEventListener("keydown", cancel, options);
}

const distance = (from: Point, to: Point): number => Math.hypot(to.x - from.x, to.y - from.y);

/** From the window to the scrolled content. */
function toContent(scroller: HTMLElement, { x, y }: Point): Point {
  const { left, top } = scroller.getBoundingClientRect();
  return { x: x - left, y: y - top + scroller.scrollTop };
}

function fromContent(scroller: HTMLElement, { x, y }: Point): Point {
  const { left, top } = scroller.getBoundingClientRect();
  return { x: x + left, y: y + top - scroller.scrollTop };
}

/** The part of the window that shows entries. */
function viewOf(scroller: HTMLElement, headerHeight: number): DOMRect {
  const { left, top } = scroller.getBoundingClientRect();
  const height = scroller.clientHeight - headerHeight;
  return new DOMRect(left, top + headerHeight, scroller.clientWidth, height);
}

/** In pixels per second, negative for up. Only towards where the mouse went: presses may be near to an edge. */
function scrollSpeed(y: number, pressY: number, { top, bottom }: DOMRect): number {
  const past = y < pressY ? Math.min(0, y - top - EDGE) : Math.max(0, y - bottom + EDGE);
  return Math.max(-MAX_SCROLL_SPEED, Math.min(MAX_SCROLL_SPEED, past * SCROLL_SPEED));
}

function createBand(): HTMLElement {
  const band = document.createElement("div");
  band.dataset.rubberBand = "";
  band.className =
    "pointer-events-none fixed z-20 rounded-sm border border-accent bg-accent/10 forced-colors:border-[Highlight]";
  return band;
}

/** Draws the part of the rectangle between two points that is in view. */
function place(band: HTMLElement, from: Point, to: Point, view: DOMRect): void {
  const left = Math.max(view.left, Math.min(from.x, to.x));
  const top = Math.max(view.top, Math.min(from.y, to.y));
  const right = Math.min(view.right, Math.max(from.x, to.x));
  const bottom = Math.min(view.bottom, Math.max(from.y, to.y));
  Object.assign(band.style, {
    left: `${left}px`,
    top: `${top}px`,
    width: `${Math.max(0, right - left)}px`,
    height: `${Math.max(0, bottom - top)}px`,
  });
}

/** Ignores the click that follows the release. It would clear the selection. */
function ignoreClick(): void {
  const over = new AbortController();
  const options = { signal: over.signal, capture: true };
  window.addEventListener("click", (event) => event.stopPropagation(), options);
  // There is no click if the mouse has left the window.
  window.addEventListener("pointerdown", () => over.abort(), options);
  setTimeout(() => over.abort());
}
