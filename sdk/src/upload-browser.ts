import type { FileObject } from "../../contract/types.ts";
import { readAnswer } from "./answer.ts";
import { HoldallError } from "./error.ts";
import type { Form } from "./multipart.ts";

/**
 * Whether uploads go by XMLHttpRequest: in browsers, where `fetch` can neither tell of its progress
 * nor, over HTTP/1.1, send a stream.
 */
export const hasFormRequests = (): boolean => typeof XMLHttpRequest !== "undefined";

export interface FormRequest {
  readonly url: string;
  readonly credentials: Readonly<Record<string, string>>;
  readonly onSent: (bytes: number) => void;
  readonly signal: AbortSignal | undefined;
}

/** Sends the form. Streams are read to their end first, since a browser wants a blob. */
export async function sendForm(form: Form, request: FormRequest): Promise<FileObject[]> {
  const { url, credentials, onSent, signal } = request;
  const { data, size } = await formData(form);
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    const abort = () => xhr.abort();
    let sent = 0;
    xhr.upload.addEventListener("progress", ({ loaded, total }) => {
      // The frame around the files is part of the total, not of the progress.
      const content = Math.min(size, Math.max(0, loaded - (total - size)));
      if (content > sent) onSent(content - sent);
      sent = Math.max(sent, content);
    });
    xhr.addEventListener("load", () => {
      try {
        const { status, responseText: text } = xhr;
        const retryAfter = xhr.getResponseHeader("retry-after");
        resolve(readAnswer<{ files: FileObject[] }>({ status, text, retryAfter }).files);
      } catch (error) {
        reject(error);
      }
    });
    xhr.addEventListener("error", () => {
      reject(new HoldallError(0, `The connection to ${new URL(url).origin} failed.`));
    });
    xhr.addEventListener("abort", () => reject(signal?.reason));
    xhr.addEventListener("loadend", () => signal?.removeEventListener("abort", abort));
    signal?.addEventListener("abort", abort, { once: true });
    xhr.open("POST", url);
    for (const [name, value] of Object.entries(credentials)) xhr.setRequestHeader(name, value);
    xhr.send(data);
  });
}

async function formData({ fields, files }: Form): Promise<{ data: FormData; size: number }> {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  let size = 0;
  for (const file of files) {
    const content = file.blob ?? (await new Response(file.stream()).blob());
    const blob = content.type === file.type ? content : content.slice(0, content.size, file.type);
    data.append("files", blob, file.name);
    size += content.size;
  }
  return { data, size };
}
