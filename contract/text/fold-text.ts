/* Without an import, since the dashboard marks matches and sorts names with it. */

/**
 * The text for comparisons that ignore case and accents: `É`, `é` and `e` fold alike, however they are
 * composed. Does not depend on the locale. ASCII text is only lower-cased.
 */
export function foldText(text: string): string {
  // Most names, ten times as fast.
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase();
  let result = "";
  for (const character of text.normalize("NFD").replace(/[\u0300-\u036f]/g, "")) {
    result += character.toLowerCase();
  }
  return result.normalize("NFC");
}
