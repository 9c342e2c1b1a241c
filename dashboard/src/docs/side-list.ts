const KEY = "holdall-docs-scroll";
/** A part is read when its start is above this line, below the header. */
const READING_LINE = 140;

/** The list at the side keeps its place from page to page, and shows the current page. */
export function keepScroll(): void {
  const list = document.querySelector<HTMLElement>("nav.contents");
  if (list === null) return;
  const name = `${KEY} ${list.ariaLabel}`;
  try {
    list.scrollTop = Number(sessionStorage.getItem(name) ?? 0);
    addEventListener("pagehide", () => sessionStorage.setItem(name, String(list.scrollTop)));
  } catch {
    // Without storage, it starts at its top.
  }
  show(list.querySelector("[aria-current]"), list);
}

/** Marks the part of the page that is read in the lists at the sides. */
export function markPart(): void {
  const links = document.querySelectorAll<HTMLAnchorElement>(
    'nav:is(.contents, .parts) a[href^="#"]',
  );
  const parts = [...links].flatMap((link) => {
    const part = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    return part === null ? [] : { link, part };
  });
  if (parts.length === 0) return;
  let marked: HTMLAnchorElement | undefined;
  function mark(): void {
    const topOf = ({ part }: { readonly part: HTMLElement }) => part.getBoundingClientRect().top;
    const above = parts.filter((each) => topOf(each) < READING_LINE);
    // At the end of the page, a part that a link leads to may stay below the line.
    const target = parts.find(({ link }) => link.hash === location.hash);
    const isTargetRead = target !== undefined && isAtEnd() && topOf(target) < innerHeight;
    const link = (isTargetRead ? target : above.at(-1))?.link;
    if (link === marked) return;
    marked?.removeAttribute("aria-current");
    link?.setAttribute("aria-current", "location");
    marked = link;
    if (link !== undefined) show(link, link.closest("nav"));
  }
  let isPlanned = false;
  addEventListener(
    "scroll",
    () => {
      if (isPlanned) return;
      isPlanned = true;
      requestAnimationFrame(() => {
        isPlanned = false;
        mark();
      });
    },
    { passive: true },
  );
  addEventListener("hashchange", mark);
  mark();
}

const isAtEnd = (): boolean => innerHeight + scrollY >= document.documentElement.scrollHeight - 2;

/** Scrolls only the list: `scrollIntoView` would scroll the page, too. */
function show(link: Element | null, list: HTMLElement | null): void {
  if (link === null || list === null) return;
  const [box, place] = [list.getBoundingClientRect(), link.getBoundingClientRect()];
  if (place.top < box.top || place.bottom > box.bottom) {
    list.scrollTop += place.top - box.top - box.height / 3;
  }
}
