import { Search } from "lucide-react";
import type { PDFDocumentProxy } from "pdfjs-dist";
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { holdall } from "../../../../app/connection/client.ts";
import { shortcutOf } from "../../../../app/shortcuts/shortcuts.ts";
import { IconButton } from "../../../../components/icon-button.tsx";
import { Skeleton } from "../../../../components/skeleton.tsx";
import { ContentArea } from "../content-area.tsx";
import { DetailsPreview } from "../details-preview.tsx";
import { damagedNote } from "../no-preview-reason.ts";
import type { PreviewBodyProps } from "../preview-body-props.ts";
import { isCovered } from "../preview-focus.ts";
import { ZoomBar, ZoomLevel } from "../zoom-bar.tsx";
import { openPdf } from "./pdf.ts";
import { PdfPage } from "./pdf-page.tsx";
import { PdfSearchBar } from "./pdf-search-bar.tsx";
import { useFoundRanges } from "./use-found-ranges.ts";
import { usePageZoom } from "./use-page-zoom.ts";
import { usePdfSearch } from "./use-pdf-search.ts";

const MAX_WIDTH = 900;
const MARGIN = 32;
const ZOOM_STEP = 1.25;
/** CSS pixels for a point, the unit of PDF. */
const PIXELS_PER_POINT = 96 / 72;

/** Why a PDF is not shown; pdf.js tells its errors apart by name. */
function noteOf(error: unknown): string {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  if (name === "InvalidPDFException") return damagedNote("PDF");
  if (name === "PasswordException") return "This PDF needs a password. Download it to open it.";
  return `Couldn't load this PDF: ${message}`;
}

/** A PDF, whose pages are drawn when they come into view; zooms by keys, wheel, fingers and buttons. Its scripts never run. */
export function PdfPreview({ file }: PreviewBodyProps) {
  const container = useRef<HTMLDivElement>(null);
  const [pdf, setPdf] = useState<PDFDocumentProxy>();
  const [ratio, setRatio] = useState(Math.SQRT2);
  const [width, setWidth] = useState(0);
  const [naturalWidth, setNaturalWidth] = useState(1);
  const [failed, setFailed] = useState<string>();
  const { zoom, canZoomOut, zoomBy, fit } = usePageZoom(container, pdf !== undefined);
  const search = usePdfSearch(pdf);
  const [laid, setLaid] = useState(0);
  useFoundRanges(container, search, laid);
  const [isFinding, setFinding] = useFinding(container, pdf !== undefined, () => {
    search.setText("");
    container.current?.focus();
  });
  const url = holdall.url(file);

  useEffect(() => {
    const opened = openPdf(url);
    let isUnmounted = false;
    opened.document
      .then(async (document) => {
        const first = (await document.getPage(1)).getViewport({ scale: 1 });
        if (isUnmounted) return;
        setRatio(first.height / first.width);
        setNaturalWidth(first.width * PIXELS_PER_POINT);
        setWidth(Math.min(MAX_WIDTH, (container.current?.clientWidth ?? MAX_WIDTH) - MARGIN));
        setPdf(document);
      })
      .catch((error: unknown) => {
        if (!isUnmounted) setFailed(noteOf(error));
      });
    return () => {
      isUnmounted = true;
      opened.close();
    };
  }, [url]);

  const pageWidth = width * zoom;
  const page = useShownPage(container, pdf !== undefined, pageWidth);
  const handleKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "+" || event.key === "=") zoomBy(ZOOM_STEP);
    else if (event.key === "-") zoomBy(1 / ZOOM_STEP);
    else if (event.key === "0") fit();
    else return;
    event.preventDefault();
  };

  if (failed !== undefined) {
    return <DetailsPreview file={file} note={failed} />;
  }
  return (
    <>
      <ContentArea
        ref={container}
        label={`Pages of ${file.name}. Press plus or minus to zoom, 0 to fit.`}
        onKeyDown={handleKey}
        className="relative min-h-0 flex-1 touch-pan-x touch-pan-y overflow-auto overscroll-contain bg-hover"
      >
        <div className="flex w-max min-w-full flex-col items-center gap-4 pt-6 pb-18">
          {pdf === undefined ? (
            <Skeleton className="h-[80dvh] w-[min(56rem,90dvw)]" />
          ) : (
            Array.from({ length: pdf.numPages }, (_, at) => (
              <PdfPage
                // biome-ignore lint/suspicious/noArrayIndexKey: pages have no other key.
                key={at}
                pdf={pdf}
                number={at + 1}
                width={pageWidth}
                ratio={ratio}
                onText={() => setLaid((before) => before + 1)}
              />
            ))
          )}
        </div>
      </ContentArea>
      {pdf !== undefined && (
        <ZoomBar
          percent={Math.round((pageWidth / naturalWidth) * 100)}
          canZoomOut={canZoomOut}
          onZoomOut={() => zoomBy(1 / ZOOM_STEP)}
          onZoomIn={() => zoomBy(ZOOM_STEP)}
          before={
            <output
              aria-label="Page"
              className="whitespace-nowrap border-line border-r px-3 text-muted text-sm tabular-nums"
            >
              {page} / {pdf.numPages}
            </output>
          }
        >
          <ZoomLevel label="Fit to window" isCurrent={zoom === 1} onSelect={fit}>
            Fit
          </ZoomLevel>
          <IconButton
            label="Find in the document"
            Icon={Search}
            aria-expanded={isFinding}
            onClick={() => setFinding(!isFinding)}
          />
        </ZoomBar>
      )}
      {isFinding && <PdfSearchBar search={search} onClose={() => setFinding(false)} />}
    </>
  );
}

/**
 * Whether the search is open. Its shortcut opens it, in place of the browser's, which finds only text of
 * the pages in view: once the pages are shown, and unless a dialog is above them.
 */
function useFinding(
  container: RefObject<HTMLElement | null>,
  isLoaded: boolean,
  onClosed: () => void,
): [boolean, (isFinding: boolean) => void] {
  const [isFinding, setFinding] = useState(false);
  useEffect(() => {
    if (!isLoaded) return;
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (shortcutOf("preview", event) !== "find") return;
      const preview = container.current?.closest("dialog") ?? null;
      if (isCovered(preview)) return;
      event.preventDefault();
      setFinding(true);
      preview?.querySelector<HTMLInputElement>("search input")?.select();
    };
    // The dialog keeps its keys from the document.
    window.addEventListener("keydown", onKey, true);
    return () => window.removeEventListener("keydown", onKey, true);
  }, [container, isLoaded]);
  return [
    isFinding,
    (next) => {
      setFinding(next);
      if (!next) onClosed();
    },
  ];
}

/** The number of the page in the middle of the window. */
function useShownPage(
  container: RefObject<HTMLElement | null>,
  isLoaded: boolean,
  pageWidth: number,
): number {
  const [page, setPage] = useState(1);
  useEffect(() => {
    const element = container.current;
    if (element === null || !isLoaded || pageWidth === 0) return;
    const update = () => {
      const { top, height } = element.getBoundingClientRect();
      const pages = [...element.querySelectorAll("[data-page]")];
      const next = pages.findIndex(
        (each) => each.getBoundingClientRect().bottom > top + height / 2,
      );
      setPage(next < 0 ? Math.max(1, pages.length) : next + 1);
    };
    update();
    element.addEventListener("scroll", update, { passive: true });
    return () => element.removeEventListener("scroll", update);
  }, [container, isLoaded, pageWidth]);
  return page;
}
