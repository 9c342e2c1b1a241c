import {
  GlobalWorkerOptions,
  getDocument,
  type PDFDocumentProxy,
  VerbosityLevel,
} from "pdfjs-dist";
import { addressOf } from "../../../app/location.ts";

GlobalWorkerOptions.workerSrc = addressOf(`/app/${process.env.PDF_WORKER}`);

const CHUNK = 256 * 1024;

export interface OpenPdf {
  readonly document: Promise<PDFDocumentProxy>;
  readonly close: () => void;
}

/** Reads a PDF in the pieces that are shown of it. */
export function openPdf(url: string): OpenPdf {
  const task = getDocument({
    url,
    rangeChunkSize: CHUNK,
    disableAutoFetch: true,
    disableStream: true,
    // Its scripts and forms are nothing to look at.
    enableXfa: false,
    // What is odd about a file is not for the console.
    verbosity: VerbosityLevel.ERRORS,
    // Without compiled parts the policy needs no exception.
    useWasm: false,
  });
  return { document: task.promise, close: () => void task.destroy() };
}

/** Draws a page onto the canvas, `width` CSS pixels wide. */
export async function drawPage(
  pdf: PDFDocumentProxy,
  number: number,
  canvas: HTMLCanvasElement,
  width: number,
): Promise<void> {
  const page = await pdf.getPage(number);
  const natural = page.getViewport({ scale: 1 });
  const density = Math.min(2, window.devicePixelRatio);
  const viewport = page.getViewport({ scale: (width / natural.width) * density });
  canvas.width = Math.round(viewport.width);
  canvas.height = Math.round(viewport.height);
  await page.render({ canvas, viewport }).promise;
  page.cleanup();
}
