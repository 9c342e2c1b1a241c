import { useEffect, useRef, useState } from "react";
import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/client.ts";
import { entryOfFile } from "../data/entry.ts";
import { KindIcon } from "../kind-icon.tsx";
import { drawPage, openPdf } from "../preview/pdf.ts";
import { limitThumbnails } from "./limit-thumbnails.ts";

const WIDTH = 240;

/** The first page of a PDF, whole. */
export function PdfThumbnail({ file }: { readonly file: FileObject }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isReady, setReady] = useState(false);
  const url = holdall.url(file);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    limitThumbnails(async () => {
      const opened = openPdf(url);
      try {
        const pdf = await opened.document;
        if (canvas.current === null || signal.aborted) return;
        await drawPage(pdf, 1, canvas.current, WIDTH);
        setReady(!signal.aborted);
      } finally {
        opened.close();
      }
      // If the page cannot be drawn, the icon stays.
    }, signal).catch(() => {});
    return () => controller.abort();
  }, [url]);
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
