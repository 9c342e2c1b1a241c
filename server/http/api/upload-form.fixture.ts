import type { FileRecord } from "../../domain/records.ts";
import type { UploadFixture } from "../../files/upload/upload.fixture.ts";
import { chunksOf } from "../../files/upload/upload.fixture.ts";
import { defaultLimits } from "../multipart/limits.ts";
import type { Part } from "../multipart/part.ts";
import { readMultipart } from "../multipart/read-multipart.ts";
import { storeUploadForm } from "./store-upload-form.ts";

/** A field, or a file with its name and content. */
export type Entry = readonly [field: string, value: string] | readonly [string, string, BlobPart];

export const file = (name: string, content: BlobPart = "content"): Entry => [
  "files",
  name,
  content,
];

export async function bodyOf(
  entries: readonly Entry[],
): Promise<{ bytes: Uint8Array; type: string }> {
  const form = new FormData();
  for (const [field, value, content] of entries) {
    if (content === undefined) form.append(field, value);
    else form.append(field, new Blob([content]), value);
  }
  const response = new Response(form);
  const type = response.headers.get("content-type") ?? "";
  return { bytes: new Uint8Array(await response.arrayBuffer()), type };
}

/** The form as a request brings it; `cut` leaves out bytes at its end. */
export async function* formOf(
  entries: readonly Entry[],
  { cut = 0, chunkSize = 65_536 } = {},
): AsyncGenerator<Part> {
  const { bytes, type } = await bodyOf(entries);
  const body = chunksOf(bytes.subarray(0, bytes.length - cut), chunkSize);
  yield* readMultipart(body, type, defaultLimits(20));
}

export async function sendForm(
  { beginUpload }: Pick<UploadFixture, "beginUpload">,
  form: AsyncIterable<Part>,
  expectedBytes = 0,
): Promise<FileRecord[]> {
  return storeUploadForm(form, await beginUpload(expectedBytes), Date.now, async () => {});
}
