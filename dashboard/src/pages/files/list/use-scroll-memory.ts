import { type RefObject, useEffect, useRef } from "react";
import { isReturn } from "../../../app/navigation/location.ts";

/** Scroll positions in pixels, by the path of the view. */
const positions = new Map<string, number>();

/** The events of users who scroll. */
const INPUTS = ["wheel", "touchmove", "pointerdown", "keydown"] as const;

/**
 * Restores the scroll position of a list when Back or Forward opens it again. `height` is the height of the
 * content: as long as it is too low for the position, because pages are missing, the list scrolls to
 * its end, which loads the next page.
 */
export function useScrollMemory(
  scroller: RefObject<HTMLElement | null>,
  path: string,
  height: number,
): void {
  const target = useRef<number | undefined>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: restored once, when the view opens.
  useEffect(() => {
    if (isReturn()) target.current = positions.get(path);
  }, []);

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const save = () => {
      if (target.current === undefined) positions.set(path, element.scrollTop);
    };
    const stop = () => {
      target.current = undefined;
    };
    element.addEventListener("scroll", save, { passive: true });
    for (const name of INPUTS) element.addEventListener(name, stop, { passive: true });
    return () => {
      element.removeEventListener("scroll", save);
      for (const name of INPUTS) element.removeEventListener(name, stop);
    };
  }, [scroller, path]);

  useEffect(() => {
    const element = scroller.current;
    const position = target.current;
    if (element === null || position === undefined || height === 0) return;
    element.scrollTop = position;
    if (Math.abs(element.scrollTop - position) < 2) target.current = undefined;
  }, [scroller, height]);
}
