import { HoldallError } from "../../../../../sdk/src/connection/error.ts";
import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/connection/client.ts";
import { monitoredFetch } from "../../../app/connection/connection.ts";
import { withBasePath } from "../../../app/navigation/location.ts";
import { withSpace } from "../../../rights/rights.ts";
import { type EditableText, readEditable } from "./editable-text.ts";

/** Larger texts are slow in a text area. */
export const MAX_EDITABLE_BYTES = 1_000_000;

export interface LoadedText {
  /** undefined: the content is not UTF-8. */
  readonly editable: EditableText | undefined;
  readonly bytes: Uint8Array;
  /** The ETag for the condition of the next save. */
  readonly etag: string | undefined;
}

/** The whole content of a text file. */
export async function loadText(id: string, signal?: AbortSignal): Promise<LoadedText> {
  const { response, etag } = await holdall.files.download(id, { signal });
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { editable: readEditable(bytes), bytes, etag };
}

/** Loads the text again after a save was refused. "gone": another file, or none, has the place that it would be saved to. */
export async function loadLatest({
  id,
  key,
}: Pick<FileObject, "id" | "key">): Promise<LoadedText | "gone"> {
  return (await holdall.files.get(id)).key === key ? loadText(id) : "gone";
}

export interface SavedText {
  readonly file: FileObject;
  readonly etag: string | undefined;
}

interface Answer {
  readonly data?: { readonly file: FileObject } | null;
  readonly error?: { readonly message: string };
}

/** Stores a text if the file is still the one with this ETag; rejects with 412 if it is not. Its type stays. */
export async function saveText(
  { key, mimeType }: Pick<FileObject, "key" | "mimeType">,
  text: string,
  etag: string,
): Promise<SavedText> {
  // The SDK has no conditional writes.
  const response = await monitoredFetch(
    withSpace(withBasePath(`/api/files/content?${new URLSearchParams({ key })}`)),
    {
      method: "PUT",
      headers: { "Content-Type": mimeType, "If-Match": etag },
      body: new TextEncoder().encode(text),
    },
  );
  const { status, headers } = response;
  const { data, error }: Answer = await response.json().catch(() => ({}));
  if (!data) throw new HoldallError(status, error?.message ?? `The server answered ${status}.`);
  return { file: data.file, etag: headers.get("etag") ?? undefined };
}
