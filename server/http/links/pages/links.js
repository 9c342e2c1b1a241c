// What the pages of shared links do with a script: show times in the visitor's zone and documents, and load more
// files while scrolling. lightbox.js opens files above their folder, and is loaded for the first of them; stage.js
// is for documents, films, recordings and damaged pictures.

const dates = new Intl.DateTimeFormat(undefined, { dateStyle: "long" });
const times = new Intl.DateTimeFormat(undefined, { dateStyle: "long", timeStyle: "short" });

/** What a part of a page needs once it is shown. */
function enhance(root) {
  for (const time of root.querySelectorAll("time")) {
    const at = new Date(time.dateTime);
    // The end of a link is a moment, others are days.
    time.textContent = (at > Date.now() ? times : dates).format(at);
  }
  for (const image of root.querySelectorAll(".stage img, .gallery img")) {
    const mark = () => {
      // Where a sharper picture cannot be loaded, the tile stays.
      if (image.srcset !== "") image.removeAttribute("srcset");
      else image.closest("a").classList.add("broken");
    };
    image.addEventListener("error", mark);
    // It may have failed before this script ran.
    if (image.complete && image.naturalWidth === 0 && image.currentSrc) mark();
  }
  for (const image of root.querySelectorAll(".gallery img")) near.observe(image.closest("a"));
  for (const place of root.querySelectorAll("[data-failed], [data-type]")) {
    // What the page shows without a script stays if this cannot be loaded.
    import("./stage.js").then(({ watchStage }) => watchStage(place)).catch(() => {});
  }
}

/* Pictures of a gallery */

/** How far from the view pictures are loaded once the visitor moves; before that, only those in view are. */
const NEAR = "1200px";
let near = watchTiles("0px");
let hasMoved = false;

/** Shows the pictures of the tiles that come into view, or so near to it. */
function watchTiles(rootMargin) {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target, boundingClientRect } of entries) {
        if (!isIntersecting) continue;
        observer.unobserve(target);
        const image = target.querySelector("img");
        image.classList.add("near");
        if (hasMoved && image.dataset.dense && !isSharp(image, boundingClientRect)) {
          image.srcset = `${image.dataset.dense} 2x`;
        }
      }
    },
    { rootMargin },
  );
  return observer;
}

/**
 * Whether the picture has enough pixels for a tile of this width on a dense screen: the server could not scale it, and
 * would send the same bytes again.
 */
const isSharp = ({ naturalWidth, naturalHeight }, { width }) =>
  Math.min(naturalWidth, naturalHeight) >= 2 * width;

function moved({ movementX, movementY }) {
  // Browsers tell of a pointer that rests over a new page, too.
  if (hasMoved || (movementX === 0 && movementY === 0)) return;
  hasMoved = true;
  near.disconnect();
  near = watchTiles(NEAR);
  for (const image of document.querySelectorAll(".gallery img")) near.observe(image.closest("a"));
}
for (const type of ["scroll", "pointermove", "touchstart", "keydown"]) {
  addEventListener(type, moved, { passive: true });
}

enhance(document);
document.documentElement.classList.add("scripted");

/** Makes the URLs in a part of a page absolute, because the address will be another one. */
function absolutize(root, base) {
  const absolute = (url) => new URL(url, base).href;
  for (const name of ["href", "src", "action", "data-dense", "data-viewer", "data-url"]) {
    for (const element of root.querySelectorAll(`[${name}]`)) {
      if (element.localName === "use") continue;
      // A picture that is shown is not to be loaded again.
      if (name === "src" && element.complete && element.isConnected) continue;
      element.setAttribute(name, absolute(element.getAttribute(name)));
    }
  }
  for (const element of root.querySelectorAll("[srcset]")) {
    if (element.complete && element.isConnected) continue;
    const candidates = element.getAttribute("srcset").split(", ");
    const urls = candidates.map((each) => each.replace(/^\S+/, absolute));
    element.setAttribute("srcset", urls.join(", "));
  }
}

async function fetchPage(url) {
  const response = await fetch(url, { headers: { Accept: "text/html" } });
  if (!response.ok) throw new Error(`Status ${response.status}`);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  absolutize(page, response.url);
  return page;
}

/* More files while scrolling */

/** How far from the end of the list the next files are loaded. */
const AHEAD = "1500px";

const list = document.querySelector("[data-more]");
const more = document.querySelector(".more");
if (list !== null && more !== null) {
  const link = more.querySelector("a");
  let isLoading = false;
  /** Appends the files of the next page; the link stays if they cannot be loaded. */
  const load = async () => {
    if (isLoading) return;
    isLoading = true;
    try {
      const next = await fetchPage(link.href);
      enhance(next);
      list.append(...(next.querySelector("[data-more]")?.children ?? []));
      const following = next.querySelector(".more a");
      if (following === null) {
        more.remove();
        return observer.disconnect();
      }
      link.href = following.href;
      observer.unobserve(more);
      observer.observe(more);
    } catch {
      observer.disconnect();
    } finally {
      isLoading = false;
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

/* Some files as a zip */

const chosen = document.querySelector(".chosen span");
addEventListener("change", () => {
  if (chosen === null) return;
  chosen.textContent = `Download ${document.querySelectorAll("[form=selection]:checked").length}`;
});

/* Files in place */

/** Whether this is the page of a file, and not of a folder. */
const isFilePage = document.querySelector(".stage, .excerpt") !== null;

/** Follows the link to the next or previous file, if there is one: `rel` is "next" or "prev". */
const step = (rel) => document.querySelector(`.neighbours a[rel="${rel}"]`)?.click();

const hasModifier = (event) => event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
/** Whether a key is for the page, and not for the field or the player that has the focus. */
const isPlainKey = (event) =>
  !hasModifier(event) &&
  event.target.closest("input, select, audio, video, pre, [data-viewer]") === null;

let loading;
const loadLightbox = () => {
  const page = { absolutize, enhance, fetchPage, isFilePage, isPlainKey, step };
  loading ??= import("./lightbox.js").then(({ startLightbox }) => startLightbox(page));
  return loading;
};

if (document.querySelector("a[data-file]") !== null) {
  if (isFilePage) void loadLightbox();
  // Before the click, in most cases.
  else
    addEventListener("pointerover", ({ target }) => {
      if (target.closest("a[data-file]") !== null) void loadLightbox();
    });
  addEventListener("keydown", (event) => {
    const rel = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
    if (rel !== undefined && isPlainKey(event)) step(rel);
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-file]");
    if (link === null || event.button !== 0 || hasModifier(event)) return;
    event.preventDefault();
    loadLightbox().then(
      (show) => show(link.href),
      () => {
        location.href = link.href;
      },
    );
  });
}
