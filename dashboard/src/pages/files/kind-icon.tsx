import { fileKind, type NamedType } from "../../../../contract/text/file-kind.ts";
import type { MediaKind } from "../../../../contract/text/media-kind.ts";
import { MEDIA_KINDS } from "../../components/media-kinds.ts";
import type { Entry } from "./data/entry.ts";
import { fileGlyph } from "./file-glyph.ts";

export interface KindIconProps {
  readonly entry: Entry;
  readonly className?: string;
}

/** The icon of an entry's kind. */
export function KindIcon({ entry, className = "size-5" }: KindIconProps) {
  return entry.kind === "folder" ? (
    <FolderIcon className={className} />
  ) : (
    <FileKindIcon file={entry.file} className={className} />
  );
}

export const FolderIcon = ({ className }: { readonly className: string }) => (
  <svg aria-hidden viewBox="0 0 24 24" className={`flex-none text-kind-folder ${className}`}>
    <path
      fill="currentColor"
      d="M4 20a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2h4.3a2 2 0 0 1 1.4.6L11.5 6.4H20a2 2 0 0 1 2 2V18a2 2 0 0 1-2 2z"
    />
    <path className={STROKES} strokeWidth={1.25} strokeOpacity={0.6} d="M2 10h20" />
  </svg>
);

export interface FileKindIconProps {
  readonly file: NamedType;
  readonly className: string;
}

/** The icon of a file's kind. */
export const FileKindIcon = ({ file, className }: FileKindIconProps) => (
  <Sheet
    text={file.mimeType === "application/pdf" ? "text-kind-pdf" : MEDIA_KINDS[fileKind(file)].text}
    glyph={fileGlyph(file)}
    className={className}
  />
);

export interface MediaKindIconProps {
  readonly kind: MediaKind;
  readonly className: string;
}

/** The icon of all files of a kind. */
export const MediaKindIcon = ({ kind, className }: MediaKindIconProps) => (
  <Sheet text={MEDIA_KINDS[kind].text} glyph={MEDIA_KINDS[kind].glyph} className={className} />
);

interface SheetProps {
  /** The class of the color. */
  readonly text: string;
  readonly glyph: string;
  readonly className: string;
}

/** Strokes have the color of the background, also with forced colors, which leave strokes as they are. */
const STROKES =
  "fill-none stroke-canvas forced-colors:stroke-[Canvas] forced-colors:in-aria-selected:stroke-[Highlight]";

/** A sheet filled with the color of its kind: outlines look alike from afar. */
const Sheet = ({ text, glyph, className }: SheetProps) => (
  <svg aria-hidden viewBox="0 0 24 24" className={`flex-none ${text} ${className}`}>
    <path
      fill="currentColor"
      d="M6 22a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h8.2a2 2 0 0 1 1.4.6l3.8 3.8a2 2 0 0 1 .6 1.4V20a2 2 0 0 1-2 2z"
    />
    <path
      className={STROKES}
      strokeWidth={1.25}
      strokeOpacity={0.6}
      d="M14.5 2.5v4a1 1 0 0 0 1 1h4"
    />
    <path
      className={STROKES}
      strokeWidth={1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      d={glyph}
    />
  </svg>
);
