import { fileKind, type NamedType } from "../../../../contract/text/file-kind.ts";
import { MEDIA_KINDS } from "../../components/media-kinds.ts";

const PDF =
  "M6.8 17.5v-5h.9a1.4 1.4 0 0 1 0 2.8h-.9m4-2.8v5h.6a2.5 2.5 0 0 0 0-5zm6.4 0h-2v5m0-2.5h1.6";
const TABLE = "M7.5 11h9v7.5h-9zm0 3.75h9M12 11v7.5";
const SLIDES = "M7 11h10v6H7zm5 6v2";

/** Within a kind, these tell apart what is often in one folder. */
const GLYPHS: readonly (readonly [RegExp, string])[] = [
  [/^application\/pdf$/, PDF],
  [/^text\/(?:csv|tab-separated-values)$|spreadsheet|ms-excel|apple\.numbers/, TABLE],
  [/presentation|ms-powerpoint|apple\.keynote/, SLIDES],
  [/^text\/(?:plain|markdown)$/, MEDIA_KINDS.document.glyph],
];

/** The path of the strokes on the sheet of a file. */
export const fileGlyph = (file: NamedType): string =>
  GLYPHS.find(([types]) => types.test(file.mimeType))?.[1] ?? MEDIA_KINDS[fileKind(file)].glyph;
