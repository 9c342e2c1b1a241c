const KEY = "holdall-docs-scroll";

/** The list at the side keeps its place from page to page, and shows the current page. */
export function keepScroll(): void {
  const list = document.querySelector<HTMLElement>("nav.contents");
  if (list === null) return;
  const name = `${KEY} ${list.classList.contains("topics") ? "topics" : "api"}`;
  try {
    list.scrollTop = Number(sessionStorage.getItem(name) ?? 0);
    addEventListener("pagehide", () => sessionStorage.setItem(name, String(list.scrollTop)));
  } catch {
    // Without storage, it starts at its top.
  }
  const current = list.querySelector<HTMLElement>("[aria-current]");
  if (current === null) return;
  const [box, place] = [list.getBoundingClientRect(), current.getBoundingClientRect()];
  if (place.top < box.top || place.bottom > box.bottom) {
    list.scrollTop += place.top - box.top - box.height / 3;
  }
}
