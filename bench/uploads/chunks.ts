import { API_KEY } from "../server-process.ts";

/** Returns the path of the upload URL. */
export async function createUpload(url: string, name: string, size: number): Promise<string> {
  const response = await fetch(`${url}/api/uploads`, {
    method: "POST",
    headers: { "API-Key": API_KEY, "Content-Type": "application/json" },
    body: JSON.stringify({ name, size }),
  });
  const location = response.headers.get("location");
  if (location === null) throw new Error(`${response.status} ${await response.text()}`);
  await response.arrayBuffer();
  return location;
}

/** Sends bytes from `offset` on. */
export async function appendTo(
  url: string,
  path: string,
  offset: number,
  body: Blob | ReadableStream<Uint8Array>,
): Promise<void> {
  const response = await fetch(`${url}${path}`, {
    method: "PATCH",
    headers: { "Upload-Offset": `${offset}`, "Content-Type": "application/offset+octet-stream" },
    body,
  });
  if (response.status !== 204) throw new Error(`${response.status} ${await response.text()}`);
}
