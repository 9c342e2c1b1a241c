/** A button on each block of code that copies it. */
export function addCopyButtons(): void {
  for (const block of document.querySelectorAll<HTMLElement>("figure.sample")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      const code = block.querySelector("pre")?.textContent ?? "";
      button.textContent = (await copy(code)) ? "Copied" : "Press Ctrl+C";
      setTimeout(() => {
        button.textContent = "Copy";
      }, 2000);
    });
    block.append(button);
  }
}

/** The Clipboard API needs HTTPS or localhost. Elsewhere the text is selected, so that one key copies it. */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text.replace(/\n$/, ""));
    return true;
  } catch {
    return false;
  }
}
