/**
 * Copies text to the clipboard. The Clipboard API needs HTTPS or localhost; elsewhere this falls
 * back to `execCommand`.
 */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const textarea = document.createElement("textarea");
  textarea.value = text;
  textarea.className = "sr-only";
  // While a dialog is open, nothing outside it can be selected.
  (document.querySelector("dialog:modal") ?? document.body).append(textarea);
  textarea.select();
  const copied = document.execCommand("copy");
  textarea.remove();
  if (!copied) throw new Error("The browser blocked copying. Select the text and copy it instead.");
}
