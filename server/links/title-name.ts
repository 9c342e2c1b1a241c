import { MAX_NAME_BYTES, tryParseName } from "../domain/names/name.ts";
import type { Name } from "../domain/records.ts";

/**
 * A title as the name of a folder in a zip: slashes and control characters become spaces, and a long title
 * is cut. undefined: no name can be made of it.
 */
export function titleName(title: string): Name | undefined {
  let text = title
    .toWellFormed()
    .normalize("NFC")
    .replace(/[\p{Cc}/\\\s]+/gu, " ")
    .trim();
  // Room for ".zip".
  while (Buffer.byteLength(text) > MAX_NAME_BYTES - 4) text = [...text].slice(0, -1).join("");
  return tryParseName(text);
}
