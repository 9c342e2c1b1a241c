import { decodeSegment } from "../../../../contract/text/decode-segment.ts";
import { parentKey } from "../../text/key-parts.ts";

/** The path of the files page at a folder; an empty key is the root. */
export const folderPath = (key: string): string =>
  key === "" ? "/files" : `/files/${key.split("/").map(encodeURIComponent).join("/")}`;

/** The path of the files page with the preview of this file. */
export const filePath = ({ id, key }: { readonly id: string; readonly key: string }): string =>
  `${parentFolderPath(key)}?file=${encodeURIComponent(id)}`;

/** The path of the files page at the folder that holds the entry with this key. */
export const parentFolderPath = (key: string): string => folderPath(parentKey(key) ?? "");

/** The key of the folder whose files page has this path below `/files/`. */
export function keyOfPath(rest: string): string {
  return rest
    .split("/")
    .filter((segment) => segment !== "")
    .map(decodeSegment)
    .join("/");
}
