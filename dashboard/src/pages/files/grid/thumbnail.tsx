import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { lazyComponent } from "../../../app/lazy-component.tsx";
import type { Entry } from "../data/entry.ts";
import { KindIcon } from "../kind-icon.tsx";
import { previewKind } from "../preview/preview-kind.ts";
import { FolderPeek } from "./folder-peek.tsx";
import { ImageThumbnail } from "./image-thumbnail.tsx";

/** Larger files get an icon: a thumbnail would download too much. */
const MAX_PDF_BYTES = 40_000_000;

const PdfThumbnail = lazyComponent(async () => (await import("./pdf-thumbnail.tsx")).PdfThumbnail);
const TextThumbnail = lazyComponent(
  async () => (await import("./text-thumbnail.tsx")).TextThumbnail,
);
const VideoThumbnail = lazyComponent(
  async () => (await import("./video-thumbnail.tsx")).VideoThumbnail,
);

export interface ThumbnailProps {
  readonly entry: Entry;
  /** The first files of a folder. */
  readonly peek: readonly FileObject[];
}

/** A thumbnail of the entry's content, or an icon. Rendered, and so loaded, only while in view. */
export function Thumbnail({ entry, peek }: ThumbnailProps) {
  if (entry.kind === "folder") return <FolderPeek files={peek} />;
  const { file } = entry;
  const icon = <KindIcon entry={entry} className="size-10" />;
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
