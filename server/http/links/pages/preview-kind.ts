import { fileKind, type NamedType } from "../../../../contract/text/file-kind.ts";
import { isZip } from "../../../../contract/text/is-zip.ts";
import type { FileRecord } from "../../../domain/records.ts";

/**
 * How a page shows a file: text as an excerpt, a PDF in a tab of its own, since browsers on phones show none
 * inside a page, a zip as the list of its files, and the others with the browser's own elements.
 */
export type PreviewKind = "image" | "video" | "audio" | "text" | "pdf" | "zip";

/** What browsers can show in `<img>`. */
const IMAGES = /^image\/(?:apng|avif|bmp|gif|jpeg|png|svg\+xml|vnd\.microsoft\.icon|webp|x-icon)$/;

export const PDF = "application/pdf";

/** The scripts of the dashboard's build that show files in a page. */
export const VIEWER_SCRIPTS: Readonly<Partial<Record<PreviewKind, string>>> = {
  pdf: "document-viewer",
  zip: "archive-viewer",
};

/** undefined: browsers cannot show the file, or it is empty. */
export function previewKind({
  name,
  mimeType,
  size,
}: NamedType & Pick<FileRecord, "size">): PreviewKind | undefined {
  if (size === 0) return undefined;
  if (mimeType === PDF) return "pdf";
  if (isZip(mimeType)) return "zip";
  const kind = fileKind({ name, mimeType });
  if (kind === "image") return IMAGES.test(mimeType) ? "image" : undefined;
  return kind === "video" || kind === "audio" || kind === "text" ? kind : undefined;
}
