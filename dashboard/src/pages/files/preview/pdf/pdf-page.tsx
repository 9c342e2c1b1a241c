import type { PDFDocumentProxy } from "pdfjs-dist";
import { useEffect, useRef, useState } from "react";
import { drawPage, layText } from "./pdf.ts";

/** A page in a new size is drawn when the size has been the same for so long; until then, its picture is scaled. */
const SETTLED_MS = 120;

export interface PdfPageProps {
  readonly pdf: PDFDocumentProxy;
  readonly number: number;
  readonly width: number;
  /** The height of a page divided by its width, until this one has been drawn. */
  readonly ratio: number;
  /** Called after its text has been laid out. */
  readonly onText: () => void;
}

/** A page of a PDF, drawn while it is in view or near it. */
export function PdfPage({ pdf, number, width, ratio, onText }: PdfPageProps) {
  const latestOnText = useRef(onText);
  latestOnText.current = onText;
  const container = useRef<HTMLDivElement>(null);
  const picture = useRef<HTMLDivElement>(null);
  const text = useRef<HTMLDivElement>(null);
  const [inView, setInView] = useState(false);
  const [drawn, setDrawn] = useState(false);
  /** Kept while the page is out of view, or the pages below would move. */
  const [ownRatio, setOwnRatio] = useState(ratio);

  useEffect(() => {
    if (container.current === null) return;
    const observer = new IntersectionObserver(
      // On a busy page several come at once, the latest last.
      (entries) => setInView(entries.at(-1)?.isIntersecting ?? false),
      { rootMargin: "600px" },
    );
    observer.observe(container.current);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    // A canvas is removed when its page leaves the view, so that long documents use little memory.
    if (!inView) return setDrawn(false);
    const [pictureArea, textArea] = [picture.current, text.current];
    if (pictureArea === null || textArea === null) return;
    const controller = new AbortController();
    const { signal } = controller;
    const draw = async () => {
      // A new canvas, because the one on screen is scaled until this one is complete.
      const canvas = document.createElement("canvas");
      canvas.className = "block w-full";
      canvas.setAttribute("aria-hidden", "true");
      const pageRatio = await drawPage(pdf, number, canvas, { width, signal });
      if (signal.aborted) return;
      pictureArea.replaceChildren(canvas);
      setOwnRatio(pageRatio);
      setDrawn(true);
    };
    const lay = async () => {
      await layText(pdf, number, textArea, { width, signal });
      if (!signal.aborted) latestOnText.current();
    };
    const drawAll = () => {
      draw().catch(() => {});
      lay().catch(() => {});
    };
    const timer = setTimeout(drawAll, pictureArea.childElementCount === 0 ? 0 : SETTLED_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [inView, pdf, number, width]);

  return (
    // biome-ignore lint/a11y/useSemanticElements: a page is not a fieldset.
    <div
      ref={container}
      role="group"
      aria-label={`Page ${number} of ${pdf.numPages}`}
      data-page
      data-drawn={drawn || undefined}
      style={{ width, height: width * ownRatio }}
      className="relative flex-none overflow-hidden rounded-sm bg-[#fff] shadow-pop"
    >
      {inView && <div ref={picture} />}
      {inView && <div ref={text} className="pdf-text" />}
    </div>
  );
}
