import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import type { EntryLayout } from "./entry-layout.ts";
import type { ListEntry, Shown, ShownList } from "./show-list-change.ts";

const loadMotion = () => import("./show-list-change.ts");
let motion: Awaited<ReturnType<typeof loadMotion>> | undefined;

/**
 * Shows with short motion which entries a change of the list has added, removed and moved: uploads, deletions, changes
 * made elsewhere. `leaving` is an empty element over the list, in which removed entries fade.
 */
export function useListMotion<Each extends ListEntry>(
  leaving: RefObject<HTMLElement | null>,
  input: ShownList<Each>,
): void {
  const latest = useRef<Shown>(undefined);
  // Not with the first view: before the user does something, nothing has to move.
  useEffect(() => {
    const stopping = new AbortController();
    const options = { once: true, signal: stopping.signal };
    const load = async () => {
      motion ??= await loadMotion();
    };
    for (const type of ["pointermove", "keydown"]) {
      document.addEventListener(type, () => void load().catch(() => {}), options);
    }
    return () => stopping.abort();
  }, []);
  // After each commit: only now are there both the new elements and those that were removed.
  useLayoutEffect(() => {
    const before = latest.current;
    const elements = new Map<string, HTMLElement>();
    for (const entry of input.rendered) {
      const element = input.elementOf(entry);
      if (element !== null) elements.set(entry.id, element);
    }
    const now: Shown = { ...input, elementOf: () => null, elements };
    latest.current = now;
    if (before === undefined || leaving.current === null || !mayMove(before, now)) return;
    motion?.showChange(before, now, leaving.current);
  });
}

function mayMove(before: Shown, now: Shown): boolean {
  return (
    before.entries !== now.entries &&
    before.list === now.list &&
    !now.isScrolling &&
    isSameShape(before.layout, now.layout) &&
    !window.matchMedia("(prefers-reduced-motion: reduce)").matches
  );
}

const isSameShape = (one: EntryLayout, other: EntryLayout): boolean =>
  one.columns === other.columns &&
  one.width === other.width &&
  one.height === other.height &&
  one.left === other.left;
