/**
 * Puts text on the clipboard. Browsers keep it from pages without https, save on this machine;
 * there the old way over a selection is taken.
 */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const place = document.createElement("textarea");
  place.value = text;
  place.className = "sr-only";
  // Within an open dialog nothing outside it can be selected.
  (document.querySelector("dialog:modal") ?? document.body).append(place);
  place.select();
  const done = document.execCommand("copy");
  place.remove();
  if (!done) throw new Error("The browser does not let pages copy here: select the text instead.");
}
