import { type ReactNode, useState } from "react";
import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/client.ts";
import { lazyComponent } from "../../../app/lazy-component.tsx";
import type { Entry } from "../data/entry.ts";
import { KindIcon } from "../kind-icon.tsx";
import { previewKind } from "../preview/preview-kind.ts";
import { TextThumbnail } from "./text-thumbnail.tsx";
import { VideoThumbnail } from "./video-thumbnail.tsx";

/** Larger files get an icon: a thumbnail would download too much. */
const MAX_IMAGE_BYTES = 12_000_000;
const MAX_PDF_BYTES = 40_000_000;

const PdfThumbnail = lazyComponent(async () => (await import("./pdf-thumbnail.tsx")).PdfThumbnail);

/** A thumbnail of the file's content, or an icon. Rendered, and so loaded, only while in view. */
export function Thumbnail({ entry }: { readonly entry: Entry }) {
  const icon = <KindIcon entry={entry} className="size-10" />;
  if (entry.kind === "folder") return icon;
  const { file } = entry;
  switch (previewKind(file)) {
    case "image":
      return file.size <= MAX_IMAGE_BYTES ? <ImageThumbnail file={file} icon={icon} /> : icon;
    case "video":
      return <VideoThumbnail file={file} />;
    case "pdf":
      return file.size <= MAX_PDF_BYTES ? <PdfThumbnail file={file} fallback={icon} /> : icon;
    case "text":
    case "markdown":
      return <TextThumbnail file={file} />;
    default:
      return icon;
  }
}

function ImageThumbnail({ file, icon }: { readonly file: FileObject; readonly icon: ReactNode }) {
  const [state, setState] = useState<"waiting" | "ready" | "failed">("waiting");
  if (state === "failed") return icon;
  return (
    <img
      src={holdall.url(file)}
      alt=""
      loading="lazy"
      decoding="async"
      draggable={false}
      onLoad={() => setState("ready")}
      onError={() => setState("failed")}
      className={`size-full object-cover transition-opacity duration-200 ${state === "ready" ? "" : "opacity-0"}`}
    />
  );
}
