import { type RefObject, useEffect } from "react";

/** Windows too low for bars that stay: also those of desktops at a zoom of 400 %. */
export const SHORT = "(height < 30rem)";

/**
 * Makes the bars over a list leave the window with its content, as if they were a part of it. They stay outside of
 * the scrolling element, because a search field that moved into another one would lose the focus.
 */
export function useScrollingBars(
  page: RefObject<HTMLElement | null>,
  bars: RefObject<HTMLElement | null>,
  /** Names the content below the bars. undefined: the bars do not scroll. */
  content: string | undefined,
): void {
  useEffect(() => {
    const [list, moved] = [page.current, bars.current];
    if (content === undefined || list === null || moved === null) return;
    const follow = ({ target }: Event) => {
      if (!(target instanceof HTMLElement) || !target.matches("[data-entries], [data-below-bars]"))
        return;
      moved.style.translate = `0 ${-Math.min(target.scrollTop, moved.offsetHeight)}px`;
    };
    // Scroll events do not bubble.
    list.addEventListener("scroll", follow, { capture: true, passive: true });
    return () => {
      list.removeEventListener("scroll", follow, true);
      moved.style.translate = "";
    };
  }, [page, bars, content]);
}
