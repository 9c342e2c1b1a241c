// What the pages of shared links do with a script: show times in the visitor's zone, load more files
// while scrolling, and page through the files of a folder with the arrow keys.

const time = document.querySelector("footer time");
if (time !== null) {
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: "long", timeStyle: "short" });
  time.textContent = format.format(new Date(time.dateTime));
}

/** How far from the end of the list the next files are loaded. */
const AHEAD = "1500px";

const list = document.querySelector("[data-more]");
const more = document.querySelector(".more");
if (list !== null && more !== null) {
  const link = more.querySelector("a");
  let loading = false;
  /** Appends the files of the next page; the link stays if they cannot be loaded. */
  const load = async () => {
    if (loading) return;
    loading = true;
    try {
      const response = await fetch(link.href);
      if (!response.ok) return observer.disconnect();
      const next = new DOMParser().parseFromString(await response.text(), "text/html");
      list.append(...(next.querySelector("[data-more]")?.children ?? []));
      const following = next.querySelector(".more a");
      if (following === null) {
        more.remove();
        return observer.disconnect();
      }
      // As it is in the page: both have the same path.
      link.setAttribute("href", following.getAttribute("href"));
      observer.unobserve(more);
      observer.observe(more);
    } catch {
      observer.disconnect();
    } finally {
      loading = false;
    }
  };
  const observer = new IntersectionObserver(
    (entries) => {
      if (entries.some((entry) => entry.isIntersecting)) void load();
    },
    { rootMargin: AHEAD },
  );
  observer.observe(more);
}

addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.target.closest("input, audio, video, pre") !== null) return;
  const rel = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  if (rel !== undefined) document.querySelector(`.neighbours a[rel="${rel}"]`)?.click();
});
