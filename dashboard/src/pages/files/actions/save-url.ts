import type { ZipForm } from "../../../../../sdk/src/holdall.ts";

/** Has the browser save what is at the URL. The server says that it is to be saved, and as what. */
export function saveUrl(url: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = "";
  link.click();
}

/**
 * Has the browser save the zip, straight to the disk. A refusal is told by `onRefused`: it comes
 * into a frame that nobody sees, in the place of the page.
 */
export function saveZip({ url, fields }: ZipForm, onRefused: (message: string) => void): void {
  const frame = document.createElement("iframe");
  frame.name = `zip-${Date.now()}`;
  frame.hidden = true;
  const form = document.createElement("form");
  form.method = "post";
  form.action = url;
  form.target = frame.name;
  form.hidden = true;
  for (const [name, value] of fields) {
    const field = document.createElement("input");
    field.name = name;
    field.value = value;
    form.append(field);
  }
  document.body.append(frame, form);
  frame.addEventListener("load", () => {
    const text = frame.contentDocument?.body.textContent ?? "";
    if (text !== "") onRefused(messageOf(text));
  });
  form.submit();
  form.remove();
  // By then it has been answered; what is being saved goes on without the frame.
  setTimeout(() => frame.remove(), 10 * 60_000);
}

function messageOf(text: string): string {
  try {
    return JSON.parse(text).error.message;
  } catch {
    return "The zip could not be made. Try again.";
  }
}
