import { lazyComponent } from "../../../app/lazy-component.tsx";
import type { Entry } from "../data/entry.ts";
import { KindIcon } from "../kind-icon.tsx";
import { previewKind } from "../preview/preview-kind.ts";
import { ImageThumbnail } from "./image-thumbnail.tsx";
import { TextThumbnail } from "./text-thumbnail.tsx";
import { VideoThumbnail } from "./video-thumbnail.tsx";

/** Larger files get an icon: a thumbnail would download too much. */
const MAX_PDF_BYTES = 40_000_000;

const PdfThumbnail = lazyComponent(async () => (await import("./pdf-thumbnail.tsx")).PdfThumbnail);

/** A thumbnail of the file's content, or an icon. Rendered, and so loaded, only while in view. */
export function Thumbnail({ entry }: { readonly entry: Entry }) {
  const icon = <KindIcon entry={entry} className="size-10" />;
  if (entry.kind === "folder") return icon;
  const { file } = entry;
  switch (previewKind(file)) {
    case "image":
      return <ImageThumbnail file={file} icon={icon} />;
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
