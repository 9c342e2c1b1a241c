import { isTextName } from "../../../../../contract/text/file-kind.ts";
import { isZip } from "../../../../../contract/text/is-zip.ts";
import type { FileObject } from "../../../../../sdk/src/holdall.ts";

export type PreviewKind =
  | "image"
  | "video"
  | "audio"
  | "pdf"
  | "zip"
  | "markdown"
  | "text"
  | "details";

/** Types that browsers show in an `img`, where their scripts never run. */
const IMAGE = /^image\/(?:png|apng|jpeg|gif|webp|avif|svg\+xml|bmp|x-icon|vnd\.microsoft\.icon)$/;
const TEXT =
  /^text\/|[/+](?:json|xml|yaml|x-yaml|toml)$|^application\/(?:javascript|x-javascript|ecmascript|typescript|sql|graphql|x-sh|x-httpd-php|x-ndjson|x-subrip|jsonc?|json5|ld\+json)$/;
/** How a file is previewed. */
export function previewKind({
  mimeType,
  name,
}: Pick<FileObject, "mimeType" | "name">): PreviewKind {
  const type = mimeType.toLowerCase();
  if (IMAGE.test(type)) return "image";
  // TypeScript shares the extension .ts with MPEG transport streams.
  if (/\.(?:[mc]?ts)$/i.test(name) && type === "video/mp2t") return "text";
  if (type.startsWith("video/")) return "video";
  if (type.startsWith("audio/")) return "audio";
  if (type === "application/pdf") return "pdf";
  if (isZip(type)) return "zip";
  if (type === "text/markdown" || /\.(?:md|markdown)$/i.test(name)) return "markdown";
  return TEXT.test(type) || isTextName(name) ? "text" : "details";
}

/** Whether the file is previewed as a text, which can be edited, too. */
export const isText = (file: Pick<FileObject, "mimeType" | "name">): boolean =>
  ["text", "markdown"].includes(previewKind(file));

/** Whether the preview has a dark stage, with the files nearby below it. */
export const isMedia = (kind: PreviewKind | undefined): boolean =>
  kind === "image" || kind === "video" || kind === "audio";
