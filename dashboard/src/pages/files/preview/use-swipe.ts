import { type RefObject, useEffect, useRef } from "react";
import { directionOf, type Swipe, swipeOf } from "./swipe.ts";

/** The height of a video's controls, whose slider is moved sideways. */
const VIDEO_CONTROLS_HEIGHT = 72;

interface Touched {
  readonly x: number;
  readonly y: number;
  readonly target: Element;
  direction: "sideways" | "down" | undefined;
}

/**
 * Calls `onSwipe` after swipes with one finger; the content follows the finger. Touches that scroll,
 * zoom, pan or select are no swipes.
 */
export function useSwipe(area: RefObject<HTMLElement | null>, onSwipe: (swipe: Swipe) => void) {
  const latest = useRef(onSwipe);
  latest.current = onSwipe;
  useEffect(() => {
    const element = area.current;
    if (element === null) return;
    let touched: Touched | undefined;
    const release = () => {
      touched = undefined;
      move(element, 0, 0);
    };
    const handleStart = (event: TouchEvent) => {
      release();
      const [touch] = event.touches;
      if (touch === undefined || event.touches.length > 1) return;
      if (!(event.target instanceof Element) || isTaken(event.target, touch.clientY)) return;
      touched = { x: touch.clientX, y: touch.clientY, target: event.target, direction: undefined };
    };
    const handleMove = (event: TouchEvent) => {
      const [touch] = event.touches;
      if (touched === undefined || touch === undefined) return;
      const dx = touch.clientX - touched.x;
      const dy = touch.clientY - touched.y;
      if (touched.direction === undefined) {
        const direction = directionOf(dx, dy);
        if (direction === undefined) return;
        if (direction === "other" || scrolls(touched.target, element, direction)) return release();
        touched.direction = direction;
      }
      // The browser scrolls already.
      if (!event.cancelable) return release();
      event.preventDefault();
      if (touched.direction === "sideways") move(element, dx, 0);
      else move(element, 0, Math.max(0, dy));
    };
    const handleEnd = (event: TouchEvent) => {
      const [touch] = event.changedTouches;
      if (touched?.direction === undefined || touch === undefined) return release();
      const { direction, x, y } = touched;
      release();
      const swipe = swipeOf(direction, touch.clientX - x, touch.clientY - y);
      if (swipe !== undefined) latest.current(swipe);
    };
    element.addEventListener("touchstart", handleStart, { passive: true });
    element.addEventListener("touchmove", handleMove, { passive: false });
    element.addEventListener("touchend", handleEnd);
    element.addEventListener("touchcancel", release);
    return () => {
      element.removeEventListener("touchstart", handleStart);
      element.removeEventListener("touchmove", handleMove);
      element.removeEventListener("touchend", handleEnd);
      element.removeEventListener("touchcancel", release);
    };
  }, [area]);
}

/** Whether the touched element, or the browser, handles the touch itself. */
function isTaken(target: Element, y: number): boolean {
  if ((window.visualViewport?.scale ?? 1) > 1.01) return true;
  if (document.getSelection()?.isCollapsed === false) return true;
  if (target.closest("[data-zoomed], input, audio") !== null) return true;
  const video = target.closest("video")?.getBoundingClientRect();
  return video !== undefined && y > video.bottom - VIDEO_CONTROLS_HEIGHT;
}

/** Whether the touched element is in something that scrolls in this direction. */
function scrolls(target: Element, area: Element, direction: "sideways" | "down"): boolean {
  for (let each: Element | null = target; each && each !== area; each = each.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(each);
    if (direction === "sideways") {
      if (each.scrollWidth > each.clientWidth + 1 && /auto|scroll/.test(overflowX)) return true;
    } else if (each.scrollHeight > each.clientHeight + 1 && /auto|scroll/.test(overflowY)) {
      return true;
    }
  }
  return false;
}

function move(element: HTMLElement, x: number, y: number): void {
  const isAtRest = x === 0 && y === 0;
  element.style.transition = isAtRest ? "transform 160ms ease-out" : "none";
  element.style.transform = isAtRest ? "" : `translate(${x}px, ${y}px)`;
}
