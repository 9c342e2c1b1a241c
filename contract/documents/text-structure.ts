export interface TextFile {
  readonly name: string;
  readonly mimeType: string;
  readonly size: number;
}

/** A text that is shown in another way than as it is written. */
export type TextStructure = "json" | "table";

/** Larger JSON is shown as it is written. */
export const MAX_JSON_BYTES = 1_000_000;

export function textStructureOf({ name, mimeType, size }: TextFile): TextStructure | undefined {
  const type = mimeType.toLowerCase();
  if (/^text\/(?:csv|tab-separated-values)$/.test(type) || /\.(?:csv|tsv)$/i.test(name)) {
    return "table";
  }
  const isJson =
    /^application\/(?:json|.*\+json)$/.test(type) || /\.(?:json|geojson|webmanifest)$/i.test(name);
  return isJson && size <= MAX_JSON_BYTES ? "json" : undefined;
}

export const isMarkdown = ({ name, mimeType }: Pick<TextFile, "name" | "mimeType">): boolean =>
  mimeType.toLowerCase() === "text/markdown" || /\.(?:md|markdown)$/i.test(name);

/** The language of code: the extension, or the whole name of a file such as `Makefile`. */
export const languageOf = (name: string): string => name.slice(name.lastIndexOf(".") + 1);
