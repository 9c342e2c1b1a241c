import type { FileObject } from "../../../../../../sdk/src/holdall.ts";

/** A text that is shown in another way than as it is written. */
export type TextStructure = "json" | "table";

/** Larger JSON is shown as it is written. */
export const MAX_JSON_BYTES = 1_000_000;

export function textStructureOf({
  name,
  mimeType,
  size,
}: Pick<FileObject, "name" | "mimeType" | "size">): TextStructure | undefined {
  const type = mimeType.toLowerCase();
  if (/^text\/(?:csv|tab-separated-values)$/.test(type) || /\.(?:csv|tsv)$/i.test(name)) {
    return "table";
  }
  const isJson =
    /^application\/(?:json|.*\+json)$/.test(type) || /\.(?:json|geojson|webmanifest)$/i.test(name);
  return isJson && size <= MAX_JSON_BYTES ? "json" : undefined;
}
