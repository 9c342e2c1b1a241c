import type { MediaKind } from "../../../sdk/src/holdall.ts";

export interface MediaKindStyle {
  readonly label: string;
  /** The path of strokes on a sheet of 24 × 24; empty: a blank sheet. */
  readonly glyph: string;
  readonly text: string;
  readonly fill: string;
}

/** Labels, glyphs and colors of the media kinds. */
export const MEDIA_KINDS: Record<MediaKind, MediaKindStyle> = {
  image: {
    label: "Images",
    glyph: "M9 10.5h.01M6.8 18l3.4-4 2.2 2.4 2-2.2 2.8 3.8z",
    text: "text-kind-image",
    fill: "bg-kind-image",
  },
  video: {
    label: "Videos",
    glyph: "M10 11v7l5.5-3.5z",
    text: "text-kind-video",
    fill: "bg-kind-video",
  },
  audio: {
    label: "Audio",
    glyph:
      "M10.5 17v-6l5-1.2V16M8 17a1.25 1.25 0 1 0 2.5 0A1.25 1.25 0 1 0 8 17m5-1a1.25 1.25 0 1 0 2.5 0A1.25 1.25 0 1 0 13 16",
    text: "text-kind-audio",
    fill: "bg-kind-audio",
  },
  document: {
    label: "Documents",
    glyph: "M8 11.5h8M8 14.75h8M8 18h5",
    text: "text-kind-document",
    fill: "bg-kind-document",
  },
  text: {
    label: "Text and code",
    glyph: "m10 11.5-3 3 3 3m4-6 3 3-3 3",
    text: "text-kind-code",
    fill: "bg-kind-code",
  },
  archive: {
    label: "Archives",
    glyph: "M11 4v1.5M11 8v1.5M11 12v1.5M9.5 16h3v3h-3z",
    text: "text-kind-archive",
    fill: "bg-kind-archive",
  },
  other: { label: "Other", glyph: "", text: "text-kind-other", fill: "bg-kind-other" },
};
