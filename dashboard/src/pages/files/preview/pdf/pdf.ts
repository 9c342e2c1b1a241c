import {
  GlobalWorkerOptions,
  getDocument,
  type PDFDocumentProxy,
  TextLayer,
  VerbosityLevel,
} from "pdfjs-dist";

// Beside this script, under whatever path the site is shown.
const worker = `./${process.env.PDF_WORKER}`;
GlobalWorkerOptions.workerSrc = new URL(worker, import.meta.url).href;

const CHUNK_BYTES = 256 * 1024;
/** In pixels of the screen; a larger one would take too much memory. */
const MAX_CANVAS_WIDTH = 4_096;

export interface OpenPdf {
  readonly document: Promise<PDFDocumentProxy>;
  readonly close: () => void;
}

/** Opens a PDF and reads only the ranges that are needed. */
export function openPdf(url: string): OpenPdf {
  const task = getDocument({
    url,
    rangeChunkSize: CHUNK_BYTES,
    disableAutoFetch: true,
    disableStream: true,
    // No forms.
    enableXfa: false,
    // Keeps warnings about odd files out of the console.
    verbosity: VerbosityLevel.ERRORS,
    // WebAssembly would need an exception in the Content-Security-Policy.
    useWasm: false,
  });
  return { document: task.promise, close: () => void task.destroy() };
}

export interface PageOptions {
  /** In CSS pixels. */
  readonly width: number;
  readonly signal: AbortSignal;
}

/**
 * Draws a page onto the canvas, and returns its height divided by its width: that of the page, since the
 * canvas has whole pixels, and a page as high as its canvas would move those below it. Rejects if the
 * signal aborts.
 */
export async function drawPage(
  pdf: PDFDocumentProxy,
  number: number,
  canvas: HTMLCanvasElement,
  { width, signal }: PageOptions,
): Promise<number> {
  const page = await pdf.getPage(number);
  signal.throwIfAborted();
  const natural = page.getViewport({ scale: 1 });
  const density = Math.min(2, window.devicePixelRatio, MAX_CANVAS_WIDTH / width);
  const viewport = page.getViewport({ scale: (width / natural.width) * density });
  canvas.width = Math.round(viewport.width);
  canvas.height = Math.round(viewport.height);
  const task = page.render({ canvas, viewport });
  signal.addEventListener("abort", () => task.cancel(), { once: true });
  await task.promise;
  page.cleanup();
  return natural.height / natural.width;
}

/** The text of a page, with a space at the end of each line. */
export async function readPageText(pdf: PDFDocumentProxy, number: number): Promise<string> {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  return items.map((item) => ("str" in item ? item.str + (item.hasEOL ? " " : "") : "")).join("");
}

/**
 * Lays the page's text over its canvas, invisible, so that it can be selected and read aloud. Rejects if the signal aborts.
 */
export async function layText(
  pdf: PDFDocumentProxy,
  number: number,
  container: HTMLElement,
  { width, signal }: PageOptions,
): Promise<void> {
  const page = await pdf.getPage(number);
  const scale = width / page.getViewport({ scale: 1 }).width;
  const textContentSource = await page.getTextContent();
  signal.throwIfAborted();
  container.replaceChildren();
  container.style.setProperty("--total-scale-factor", String(scale));
  const viewport = page.getViewport({ scale });
  const layer = new TextLayer({ textContentSource, container, viewport });
  signal.addEventListener("abort", () => layer.cancel(), { once: true });
  await layer.render();
}
