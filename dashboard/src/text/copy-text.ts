/**
 * Copies text to the clipboard. The Clipboard API needs HTTPS or localhost; elsewhere this falls
 * back to `execCommand`. Text that is not there yet must be given as a promise: some browsers allow
 * copying only during the click.
 */
export async function copyText(text: string | Promise<string>): Promise<void> {
  if (navigator.clipboard !== undefined) {
    if (typeof text === "string") return navigator.clipboard.writeText(text);
    const content = text.then((ready) => new Blob([ready], { type: "text/plain" }));
    // The clipboard reports that it got nothing; the reason is in the promise.
    const item = new ClipboardItem({ "text/plain": content });
    return navigator.clipboard.write([item]).catch(async (error: unknown) => {
      await text;
      throw error;
    });
  }
  const textarea = document.createElement("textarea");
  textarea.value = await text;
  textarea.className = "sr-only";
  // While a dialog is open, nothing outside the uppermost can be selected.
  ([...document.querySelectorAll("dialog:modal")].at(-1) ?? document.body).append(textarea);
  textarea.select();
  const copied = document.execCommand("copy");
  textarea.remove();
  if (!copied) throw new Error("The browser blocked copying. Select the text and copy it instead.");
}
