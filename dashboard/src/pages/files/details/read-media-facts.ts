import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/connection/client.ts";
import { previewKind } from "../preview/preview-kind.ts";
import { type Exif, readExif } from "./read-exif.ts";
import { svgSize } from "./svg-size.ts";

/** Facts that the browser finds out about an image, a video or audio. */
export interface MediaFacts {
  /** In pixels. */
  readonly width?: number;
  readonly height?: number;
  /** In seconds. */
  readonly duration?: number;
  readonly exif?: Exif;
}

/** EXIF data are at the beginning. */
const EXIF_BYTES = 128 * 1024;
/** Comments and a document type may come before the size of an SVG. */
const DRAWING_BYTES = 16 * 1024;
/** Larger images are not loaded for their dimensions. */
const MAX_IMAGE_BYTES = 64 * 1024 ** 2;

/** Facts that cannot be read are left out. */
export async function readMediaFacts(file: FileObject, signal: AbortSignal): Promise<MediaFacts> {
  const kind = previewKind(file);
  if (file.mimeType === "image/svg+xml") return (await drawingSize(file, signal)) ?? {};
  if (kind === "image") {
    const [size, exif] = await Promise.all([imageSize(file), photoExif(file, signal)]);
    return { ...size, ...(exif && { exif }) };
  }
  return kind === "video" || kind === "audio" ? playFacts(file, kind) : {};
}

/** A browser takes 150 pixels for a missing width, so the size is read from the text. */
async function drawingSize(file: FileObject, signal: AbortSignal) {
  if (file.size === 0) return undefined;
  const range = { start: 0, end: Math.min(file.size, DRAWING_BYTES) - 1 };
  const { response } = await holdall.files.download(file.id, { range, signal });
  return svgSize(await response.text());
}

async function imageSize(file: FileObject): Promise<MediaFacts> {
  if (file.size > MAX_IMAGE_BYTES) return {};
  const image = new Image();
  image.src = holdall.url(file);
  const isLoaded = await image.decode().then(
    () => true,
    () => false,
  );
  return isLoaded ? { width: image.naturalWidth, height: image.naturalHeight } : {};
}

async function photoExif(file: FileObject, signal: AbortSignal): Promise<Exif | undefined> {
  if (file.mimeType !== "image/jpeg" || file.size === 0) return undefined;
  const range = { start: 0, end: EXIF_BYTES - 1 };
  const { response } = await holdall.files.download(file.id, { range, signal });
  return readExif(new Uint8Array(await response.arrayBuffer()));
}

function playFacts(file: FileObject, kind: "video" | "audio"): Promise<MediaFacts> {
  const element = document.createElement(kind);
  return new Promise((resolve) => {
    const end = (facts: MediaFacts) => {
      element.removeAttribute("src");
      element.load();
      resolve(facts);
    };
    element.onerror = () => resolve({});
    element.onloadedmetadata = () => {
      const { duration } = element;
      const size =
        element instanceof HTMLVideoElement && element.videoWidth > 0
          ? { width: element.videoWidth, height: element.videoHeight }
          : {};
      element.onerror = null;
      end({ ...size, ...(Number.isFinite(duration) && { duration }) });
    };
    element.preload = "metadata";
    element.src = holdall.url(file);
  });
}
