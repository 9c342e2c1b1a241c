import { ResponseException } from "pdfjs-dist";
import { useEffect, useRef, useState } from "react";
import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/connection/client.ts";
import { entryOfFile } from "../data/entry.ts";
import { KindIcon } from "../kind-icon.tsx";
import { drawPage, openPdf } from "../preview/pdf/pdf.ts";
import { limitThumbnails } from "./limit-thumbnails.ts";
import { MAX_ATTEMPTS, whenServed } from "./retry-refused.ts";

const WIDTH = 240;

/** The first page of a PDF, whole. */
export function PdfThumbnail({ file }: { readonly file: FileObject }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isReady, setReady] = useState(false);
  const [attempt, setAttempt] = useState(1);
  const url = holdall.url(file);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt loads it again.
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    limitThumbnails(async () => {
      const opened = openPdf(url);
      // The promise of a document that is closed while it loads stays pending.
      const aborted = new Promise<never>((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
      try {
        const pdf = await Promise.race([opened.document, aborted]);
        if (canvas.current === null || signal.aborted) return;
        await drawPage(pdf, 1, canvas.current, { width: WIDTH, signal });
        setReady(!signal.aborted);
      } finally {
        opened.close();
      }
    }, signal)
      .catch(async (error: unknown) => {
        if (!(error instanceof ResponseException) || attempt === MAX_ATTEMPTS) return;
        await whenServed(file, signal);
        setAttempt(attempt + 1);
      })
      // If the page cannot be drawn, the icon stays.
      .catch(() => {});
    return () => controller.abort();
  }, [url, attempt]);
  return (
    <div className="relative grid size-full place-items-center overflow-hidden p-2">
      {!isReady && <KindIcon entry={entryOfFile(file)} className="size-10" />}
      <canvas
        ref={canvas}
        aria-hidden
        className={`absolute max-h-[calc(100%-1rem)] max-w-[calc(100%-1rem)] shadow-sm transition-opacity duration-150 ${isReady ? "" : "opacity-0"}`}
      />
    </div>
  );
}
