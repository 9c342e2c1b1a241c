import type { PDFDocumentProxy } from "pdfjs-dist";
import { useEffect, useRef, useState } from "react";
import { holdall } from "../../../app/client.ts";
import { Skeleton } from "../../../components/skeleton.tsx";
import { ContentArea } from "./content-area.tsx";
import { DetailsPreview } from "./details-preview.tsx";
import { drawPage, openPdf } from "./pdf.ts";
import type { PreviewBodyProps } from "./preview-body-props.ts";

const MAX_WIDTH = 900;
const MARGIN = 32;

/** A PDF, whose pages are drawn when they come into view. Its scripts never run. */
export function PdfPreview({ file }: PreviewBodyProps) {
  const container = useRef<HTMLDivElement>(null);
  const [pdf, setPdf] = useState<PDFDocumentProxy>();
  const [ratio, setRatio] = useState(Math.SQRT2);
  const [width, setWidth] = useState(0);
  const [failed, setFailed] = useState<string>();
  const url = holdall.url(file);

  useEffect(() => {
    const opened = openPdf(url);
    let isUnmounted = false;
    opened.document
      .then(async (document) => {
        const first = (await document.getPage(1)).getViewport({ scale: 1 });
        if (isUnmounted) return;
        setRatio(first.height / first.width);
        setWidth(Math.min(MAX_WIDTH, (container.current?.clientWidth ?? MAX_WIDTH) - MARGIN));
        setPdf(document);
      })
      .catch((error: unknown) => {
        if (!isUnmounted) setFailed(error instanceof Error ? error.message : String(error));
      });
    return () => {
      isUnmounted = true;
      opened.close();
    };
  }, [url]);

  if (failed !== undefined) {
    return <DetailsPreview file={file} note={`Couldn't display this PDF: ${failed}`} />;
  }
  return (
    <ContentArea
      ref={container}
      label={`Pages of ${file.name}`}
      className="min-h-0 flex-1 overflow-y-auto overscroll-contain bg-hover"
    >
      <div className="flex flex-col items-center gap-4 py-6">
        {pdf === undefined ? (
          <Skeleton className="h-[80dvh] w-[min(56rem,90%)]" />
        ) : (
          Array.from({ length: pdf.numPages }, (_, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: pages have no other key.
            <PdfPage key={at} pdf={pdf} number={at + 1} width={width} height={width * ratio} />
          ))
        )}
      </div>
    </ContentArea>
  );
}

interface PdfPageProps {
  readonly pdf: PDFDocumentProxy;
  readonly number: number;
  readonly width: number;
  readonly height: number;
}

function PdfPage({ pdf, number, width, height }: PdfPageProps) {
  const container = useRef<HTMLDivElement>(null);
  const [inView, setInView] = useState(false);
  const [text, setText] = useState("");
  const [drawn, setDrawn] = useState(false);

  useEffect(() => {
    if (container.current === null) return;
    const observer = new IntersectionObserver(
      ([entry]) => setInView(entry?.isIntersecting ?? false),
      { rootMargin: "600px" },
    );
    observer.observe(container.current);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    // A canvas is removed when its page leaves the view, so that long documents use little memory.
    if (!inView) return setDrawn(false);
    const canvas = container.current?.querySelector("canvas");
    if (!canvas) return;
    let isUnmounted = false;
    drawPage(pdf, number, canvas, width).then(
      () => !isUnmounted && setDrawn(true),
      () => {},
    );
    pdf
      .getPage(number)
      .then((page) => page.getTextContent())
      .then(
        ({ items }) =>
          !isUnmounted && setText(items.map((item) => ("str" in item ? item.str : "")).join(" ")),
        () => {},
      );
    return () => {
      isUnmounted = true;
    };
  }, [inView, pdf, number, width]);

  return (
    // biome-ignore lint/a11y/useSemanticElements: a page is not a fieldset.
    <div
      ref={container}
      role="group"
      aria-label={`Page ${number} of ${pdf.numPages}`}
      data-drawn={drawn || undefined}
      style={drawn ? { width } : { width, height }}
      className="relative flex-none overflow-hidden rounded-sm bg-[#fff] shadow-pop"
    >
      {inView && <canvas aria-hidden className="block w-full" />}
      <p className="sr-only">{text}</p>
    </div>
  );
}
