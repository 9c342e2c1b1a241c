import { mediaKind } from "../../../../../contract/text/media-kind.ts";
import type { FileObject } from "../../../../../sdk/src/holdall.ts";

const IMAGE_FORMATS: readonly (readonly [RegExp, string])[] = [
  [/^image\/hei[cf]|\.hei[cf]s?$/i, "HEIC"],
  [/^image\/tiff|\.tiff?$/i, "TIFF"],
  [/photoshop|\.psd$/i, "Photoshop"],
];

const DOCUMENTS: readonly (readonly [RegExp, string])[] = [
  [/msword|wordprocessingml|\.docx?$/i, "Word documents"],
  [/ms-excel|spreadsheetml|\.xlsx?$/i, "Excel workbooks"],
  [/ms-powerpoint|presentationml|\.pptx?$/i, "PowerPoint presentations"],
  [/opendocument/i, "OpenDocument files"],
  [/epub/i, "e-books"],
];

/** Why a file has no preview, in a sentence, and what to do instead. */
export function noPreviewReason({
  name,
  mimeType,
  size,
}: Pick<FileObject, "name" | "mimeType" | "size">): string {
  if (size === 0) return "This file is empty.";
  const find = (formats: typeof DOCUMENTS) =>
    formats.find(([pattern]) => pattern.test(mimeType) || pattern.test(name))?.[1];
  const image = find(IMAGE_FORMATS);
  if (image !== undefined) {
    return `Browsers can't show ${image} pictures. Download it, or convert it to JPEG to see it here.`;
  }
  const documents = find(DOCUMENTS);
  if (documents !== undefined) {
    return `Browsers can't show ${documents}. Download it, or save it as a PDF to see it here.`;
  }
  switch (mediaKind(mimeType)) {
    case "image":
      return `Browsers can't show pictures of the type ${mimeType}. Download it to open it.`;
    case "archive":
      return "This is an archive. Download it to see what it contains.";
    default:
      return "There is no preview for this type of file. Download it to open it.";
  }
}

/** Said of a file that is not what its media type says, such as "picture". */
export const damagedNote = (what: string): string =>
  `This ${what} can't be shown. It is probably damaged, or not what its name says. Download it to try another program.`;
