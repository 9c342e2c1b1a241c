// The script that shows a PDF on the page of a link (server/http/links/pages/file-page.ts), with the renderer of the
// dashboard's preview. What the page shows without a script stays until the first page has been read.
import type { PDFDocumentProxy } from "pdfjs-dist";
import { drawPage, layText, openPdf } from "../pages/files/preview/pdf/pdf.ts";

const MAX_WIDTH = 900;
const ZOOM_STEP = 1.25;
const MAX_ZOOM = 4;
const MIN_ZOOM = 0.5;

/** Closes the document that was shown before. */
let closeLast = (): void => {};

/** Shows the PDF that the attributes of `place` name, in it. Resolves to whether it can be shown. */
export async function mount(place: HTMLElement): Promise<boolean> {
  const { url = "", name = "" } = place.dataset;
  closeLast();
  const opened = openPdf(new URL(url, location.href).href);
  closeLast = opened.close;
  let pdf: PDFDocumentProxy;
  let ratio: number;
  try {
    pdf = await opened.document;
    const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 });
    ratio = height / width;
  } catch {
    // It is damaged, or needs a password. It can still be opened or downloaded.
    return false;
  }
  if (place.isConnected) show(place, pdf, { name, ratio });
  return true;
}

interface Shown {
  readonly name: string;
  /** The height of a page divided by its width, until it is drawn. */
  readonly ratio: number;
}

function show(place: HTMLElement, pdf: PDFDocumentProxy, { name, ratio }: Shown): void {
  const open = place.querySelector("a");
  const area = element("div", "pages");
  area.tabIndex = 0;
  area.setAttribute("role", "region");
  area.setAttribute("aria-label", `Pages of ${name}`);
  const bar = element("div", "pdf-bar");
  const counter = element("output", "");
  counter.setAttribute("aria-label", "Page");
  place.dataset.mounted = "";
  place.className = "stage pdf";
  place.replaceChildren(area, bar);

  let zoom = 1;
  const fit = Math.min(MAX_WIDTH, area.clientWidth - 24);
  const pages = Array.from({ length: pdf.numPages }, (_, at) =>
    createPage(pdf, at + 1, () => fit * zoom, ratio),
  );
  area.append(...pages.map((page) => page.element));
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        pages.find((page) => page.element === target)?.setInView(isIntersecting);
      }
    },
    { root: area, rootMargin: "600px" },
  );
  for (const page of pages) observer.observe(page.element);

  const count = () => {
    const middle = area.getBoundingClientRect().top + area.clientHeight / 2;
    const at = pages.findIndex((page) => page.element.getBoundingClientRect().bottom > middle);
    counter.textContent = `${at < 0 ? pages.length : at + 1} / ${pages.length}`;
  };
  const zoomTo = (next: number) => {
    const at = area.scrollTop / area.scrollHeight;
    zoom = Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, next));
    for (const page of pages) page.resize();
    area.scrollTop = at * area.scrollHeight;
    count();
  };
  area.addEventListener("scroll", count, { passive: true });
  area.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "+" || event.key === "=") zoomTo(zoom * ZOOM_STEP);
    else if (event.key === "-") zoomTo(zoom / ZOOM_STEP);
    else if (event.key === "0") zoomTo(1);
  });
  bar.append(
    button("−", "Zoom out", () => zoomTo(zoom / ZOOM_STEP)),
    counter,
    button("+", "Zoom in", () => zoomTo(zoom * ZOOM_STEP)),
  );
  if (open !== null) bar.append(open);
  count();
}

/** A page that is drawn while it is in view, so that long documents use little memory. */
function createPage(pdf: PDFDocumentProxy, number: number, width: () => number, ratio: number) {
  const page = element("div", "pdf-page");
  page.setAttribute("role", "group");
  page.setAttribute("aria-label", `Page ${number} of ${pdf.numPages}`);
  let ownRatio = ratio;
  let drawing: AbortController | undefined;
  const resize = () => {
    page.style.width = `${width()}px`;
    page.style.height = `${width() * ownRatio}px`;
    if (drawing !== undefined) draw();
  };
  function draw(): void {
    drawing?.abort();
    drawing = new AbortController();
    const { signal } = drawing;
    const canvas = document.createElement("canvas");
    canvas.setAttribute("aria-hidden", "true");
    const text = element("div", "pdf-text");
    const options = { width: width(), signal };
    drawPage(pdf, number, canvas, options)
      .then((pageRatio) => {
        if (signal.aborted) return;
        ownRatio = pageRatio;
        page.style.height = `${width() * ownRatio}px`;
        page.replaceChildren(canvas, text);
        page.dataset.drawn = "";
        return layText(pdf, number, text, options);
      })
      // The document was closed, or the page is out of view again.
      .catch(() => {});
  }
  resize();
  return {
    element: page,
    resize,
    setInView(isInView: boolean): void {
      if (isInView && drawing === undefined) draw();
      if (isInView) return;
      drawing?.abort();
      drawing = undefined;
      page.replaceChildren();
      delete page.dataset.drawn;
    },
  };
}

function element(tag: string, className: string): HTMLElement {
  const made = document.createElement(tag);
  made.className = className;
  return made;
}

function button(text: string, label: string, onClick: () => void): HTMLElement {
  const made = element("button", "round");
  made.textContent = text;
  made.setAttribute("aria-label", label);
  made.addEventListener("click", onClick);
  return made;
}
