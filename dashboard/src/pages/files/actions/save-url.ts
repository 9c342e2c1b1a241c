import type { ZipForm } from "../../../../../sdk/src/holdall.ts";

/** Starts a download. The server's `Content-Disposition` gives the file name. */
export function saveUrl(url: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = "";
  link.click();
}

/**
 * Starts the download of a zip by posting a form to a hidden frame, so that the browser streams it
 * to disk. An error response loads into that frame and is passed to `onRefused`.
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
  // The response has started by then; the download continues without the frame.
  setTimeout(() => frame.remove(), 10 * 60_000);
}

function messageOf(text: string): string {
  try {
    return JSON.parse(text).error.message;
  } catch {
    return "Couldn't create the zip file. Try again.";
  }
}
