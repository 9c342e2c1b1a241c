// Shows files above their folder, or in place of another one, and pages through them by keys and swipes.

/** Returns the function that shows the file whose page has this URL. `page`: what links.js does with pages. */
export function startLightbox({ absolutize, enhance, fetchPage, isFilePage, isPlainKey, step }) {
  const main = document.querySelector("main");
  const styled = isFilePage ? Promise.resolve() : loadStyles();
  /** The address of the folder below the opened file; undefined: the page is that of a file. */
  const folderUrl = isFilePage ? undefined : location.href;
  const folderTitle = document.title;
  let lightbox;
  /** The place of the file that is shown. */
  let place = folderUrl === undefined ? main : undefined;
  /** Pages of files that are likely to be shown next, by URL. */
  const fetched = new Map();
  /** The latest wish: an earlier page may arrive later. */
  let wanted;

  function pageAt(url) {
    const page = fetched.get(url) ?? fetchPage(url);
    fetched.set(url, page);
    page.catch(() => fetched.delete(url));
    for (const old of [...fetched.keys()].slice(0, -8)) fetched.delete(old);
    return page;
  }

  function openLightbox() {
    lightbox ??= createLightbox();
    if (!lightbox.open) {
      absolutize(main, location.href);
      lightbox.showModal();
    }
    return lightbox.querySelector(".shown");
  }

  function createLightbox() {
    const dialog = document.createElement("dialog");
    dialog.className = "lightbox";
    const close = document.createElement("button");
    close.className = "close";
    close.type = "button";
    close.setAttribute("aria-label", "Close");
    close.textContent = "×";
    close.addEventListener("click", leave);
    const shown = document.createElement("div");
    shown.className = "shown";
    dialog.append(close, shown);
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      leave();
    });
    document.body.append(dialog);
    return dialog;
  }

  /** Shows the file whose page is at `url`, in place of the one before. */
  async function show(url) {
    wanted = url;
    try {
      const [page] = await Promise.all([pageAt(url), styled]);
      if (wanted !== url) return;
      const isThere = place !== undefined || location.href === url;
      place ??= openLightbox();
      // One entry of the history for all files that are looked at.
      if (isThere) history.replaceState(history.state, "", url);
      else history.pushState({ isAbove: true }, "", url);
      const content = page.querySelector("main").cloneNode(true);
      for (const missing of symbolsOf(page)) document.querySelector(".sprite").append(missing);
      const kind = page.body.className;
      if (place === main) document.body.className = kind;
      else place.className = `shown ${kind}`;
      (lightbox?.open ? lightbox : document.body).dataset.kind = kind;
      document.title = page.title;
      const rel = document.activeElement?.getAttribute("rel");
      place.replaceChildren(...content.childNodes);
      place.querySelector(`.neighbours a[rel="${rel}"]`)?.focus();
      enhance(place);
      place
        .querySelector(".strip [aria-current]")
        ?.scrollIntoView({ inline: "center", block: "nearest" });
      void preload();
    } catch {
      location.href = url;
    }
  }

  const symbolsOf = (page) =>
    [...page.querySelectorAll(".sprite symbol")].filter(({ id }) => !document.getElementById(id));

  /** The neighbours, with their pictures, so that a step shows them at once. */
  const pictures = [];
  async function preload() {
    // What is shown comes first.
    const image = place.querySelector(".stage img");
    if (image?.complete === false) await image.decode().catch(() => {});
    for (const link of place?.querySelectorAll(".neighbours a[rel]") ?? []) {
      pageAt(link.href).then(
        (page) => {
          const picture =
            page.querySelector(".stage picture") ?? page.querySelector(".stage.picture img");
          if (picture !== null) pictures.push(document.importNode(picture, true));
          pictures.splice(0, pictures.length - 4);
        },
        () => {},
      );
    }
  }

  /** Back to the folder. */
  function leave() {
    if (history.state?.isAbove === true) return history.back();
    const up = [...document.querySelectorAll(".crumbs a")].at(-1);
    if (up !== undefined) location.href = up.href;
  }

  addEventListener("popstate", () => {
    wanted = undefined;
    if (folderUrl !== undefined && location.href === folderUrl) {
      const url = place?.querySelector(".strip [aria-current]")?.href;
      place = undefined;
      lightbox?.close();
      lightbox?.querySelector(".shown").replaceChildren();
      document.title = folderTitle;
      [...document.querySelectorAll("main a[data-file]")].find(({ href }) => href === url)?.focus();
    } else if (folderUrl !== undefined) void show(location.href);
  });

  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && isPlainKey(event) && folderUrl === undefined) leave();
  });

  /** How far a finger must move, and how much more to the side than up or down. */
  const SWIPE = 48;
  let touch;
  addEventListener(
    "touchstart",
    ({ touches, target }) => {
      const isOnStage = target.closest(
        ".stage.picture, .stage.film, .stage.empty:not([data-mounted])",
      );
      touch = touches.length === 1 && isOnStage ? touches[0] : undefined;
    },
    { passive: true },
  );
  addEventListener(
    "touchend",
    ({ changedTouches: [end] }) => {
      // A page that is magnified is moved by the finger.
      if (touch === undefined || end === undefined || (visualViewport?.scale ?? 1) > 1.05) return;
      const [x, y] = [end.clientX - touch.clientX, end.clientY - touch.clientY];
      touch = undefined;
      if (Math.abs(x) > SWIPE && Math.abs(x) > 2 * Math.abs(y)) step(x < 0 ? "next" : "prev");
      else if (y > 2 * SWIPE && y > 2 * Math.abs(x)) leave();
    },
    { passive: true },
  );

  if (place !== undefined) void preload();
  return show;
}

/** The style sheet of files, which pages of folders do not have. */
function loadStyles() {
  const common = document.querySelector("link[rel=stylesheet]");
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = common.href.replace(/links\.css$/, "link-file.css");
  document.head.append(link);
  return new Promise((resolve, reject) => {
    link.addEventListener("load", resolve);
    link.addEventListener("error", reject);
  });
}
