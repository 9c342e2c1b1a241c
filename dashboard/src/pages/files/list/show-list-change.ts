import { type EntryLayout, type Point, placeOf } from "./entry-layout.ts";

const MOVE_MS = 140;
const LEAVE_MS = 120;
/** How long new entries keep their color. It fades at the end, and nothing moves meanwhile. */
const NEW_MS = 2_000;
/** The value of `--ease-out` of the theme. */
const EASE_OUT = "cubic-bezier(0.2, 0.8, 0.2, 1)";

export interface ListEntry {
  readonly id: string;
}

export interface ShownList<Each extends ListEntry> {
  /** Another value for another order, search or layout, which appear without motion. */
  readonly list: string;
  readonly entries: readonly Each[];
  readonly hasMore: boolean;
  readonly layout: EntryLayout;
  readonly isScrolling: boolean;
  /** The entries that have elements. */
  readonly rendered: readonly Each[];
  readonly elementOf: (entry: Each) => HTMLElement | null;
}

export interface Shown extends ShownList<ListEntry> {
  readonly elements: ReadonlyMap<string, HTMLElement>;
}

/** Fades and moves what differs between two lists. `leaving`: where removed entries fade. */
export function showChange(before: Shown, now: Shown, leaving: HTMLElement): void {
  const last = before.entries.at(-1)?.id ?? "";
  const ids = new Set([...before.elements.keys(), ...now.elements.keys(), last]);
  const indices = indicesOf(now.entries, ids);
  const earlier = indicesOf(before.entries, ids);
  // Entries after the last one were loaded, not added.
  const end = before.hasMore ? (indices.get(last) ?? -1) : now.entries.length;
  for (const [id, element] of now.elements) {
    const index = indices.get(id) ?? 0;
    const from = earlier.get(id);
    if (from !== undefined) move(element, placeOf(before.layout, from), placeOf(now.layout, index));
    else if (index < end) {
      appear(element);
      highlight(element);
    }
  }
  for (const [id, element] of before.elements) {
    if (indices.has(id) || element.isConnected) continue;
    leave(element, placeOf(before.layout, earlier.get(id) ?? 0), before.layout, leaving);
  }
}

/** Finds the indices of these entries only: a list may have many thousands. */
function indicesOf(entries: readonly ListEntry[], ids: ReadonlySet<string>): Map<string, number> {
  const indices = new Map<string, number>();
  for (let index = 0; index < entries.length && indices.size < ids.size; index += 1) {
    const id = entries[index]?.id ?? "";
    if (ids.has(id)) indices.set(id, index);
  }
  return indices;
}

function appear(element: HTMLElement): void {
  element.animate({ opacity: [0, 1], translate: ["0 4px", "0 0"] }, timing(MOVE_MS));
}

function highlight(element: HTMLElement): void {
  const color = "var(--color-accent-soft)";
  element.animate(
    [{ backgroundColor: color }, { backgroundColor: color, offset: 0.7 }, {}],
    NEW_MS,
  );
}

/** Along its row or column; across the list, or from out of view, it appears where it is now. */
function move(element: HTMLElement, from: Point, to: Point): void {
  const x = from.x - to.x;
  const y = from.y - to.y;
  if (x === 0 && y === 0) return;
  const isNear = (x === 0 || y === 0) && Math.abs(y) <= window.innerHeight;
  if (isNear) element.animate({ translate: [`${x}px ${y}px`, "0 0"] }, timing(MOVE_MS));
  else appear(element);
}

/** React has removed the element, so it can fade elsewhere. */
function leave(element: HTMLElement, at: Point, size: EntryLayout, leaving: HTMLElement): void {
  // The entry may come back meanwhile.
  element.removeAttribute("id");
  const { width, height } = size;
  Object.assign(element.style, {
    position: "absolute",
    right: "auto",
    transform: "none",
    left: `${at.x}px`,
    top: `${at.y}px`,
    width: `${width}px`,
    height: `${height}px`,
  });
  leaving.append(element);
  const fading = element.animate({ opacity: [1, 0] }, { ...timing(LEAVE_MS), fill: "forwards" });
  const remove = () => element.remove();
  fading.finished.then(remove, remove);
}

const timing = (duration: number) => ({ duration, easing: EASE_OUT });
