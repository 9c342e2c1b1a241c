/* Without an import, since the dashboard marks matches with it. */

/**
 * The text for comparisons that ignore case and accents: `É`, `é` and `e` fold alike, however they are
 * composed. Does not depend on the locale. ASCII text is only lower-cased.
 */
export function foldText(text: string): string {
  let result = "";
  for (const character of text.normalize("NFD").replace(/[\u0300-\u036f]/g, "")) {
    result += character.toLowerCase();
  }
  return result.normalize("NFC");
}
