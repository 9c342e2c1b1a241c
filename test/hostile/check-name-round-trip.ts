import { api, type Reachable, send } from "../client.ts";
import { field, filePart, type Part } from "../multipart.ts";
import { raw } from "../raw.ts";
import { storedName } from "./hostile-name.ts";

export interface NameResult {
  /** The name as stored; undefined: it must be rejected. */
  readonly stored: string | undefined;
  /** What went wrong; "": nothing. */
  readonly problem: string;
}

/**
 * Sends a name through an upload, lists, hosting, a download and a rename. It must come back
 * unchanged everywhere, or be rejected with 400 where the contract rejects it.
 */
export async function checkNameRoundTrip(
  server: Reachable,
  folder: string,
  name: string,
): Promise<NameResult> {
  const stored = storedName(name);
  const result = (problem: string): NameResult => ({ stored, problem });
  const a = api(server);

  const upload = await a.upload([field("folder", folder), partOf(name)]);
  if (stored === undefined) {
    const renamed = await renameTo(server, folder, name);
    return result(
      upload.status === 400 && renamed === 400 ? "" : `accepted: ${upload.status} ${renamed}`,
    );
  }
  if (upload.status !== 200) return result(`rejected: ${upload.status} ${upload.text}`);
  const [file] = JSON.parse(upload.text).data.files;
  if (file.name !== stored || file.key !== `${folder}/${stored}`)
    return result(`stored as ${file.key}`);

  const found = await a.get(`/api/files?key=${encodeURIComponent(file.key)}`);
  if (JSON.parse(found.text).data?.file.id !== file.id) return result(`not found: ${found.text}`);
  const listed = await a.get(`/api/files?name=${encodeURIComponent(stored)}`);
  const files: { id: string }[] = JSON.parse(listed.text).data?.files ?? [];
  if (!files.some(({ id }) => id === file.id)) return result(`not listed: ${listed.text}`);

  const hosted = await send(server, "GET", `/${file.url}`);
  if (hosted.status !== 200 || hosted.text !== "content") return result(`hosted: ${hosted.status}`);
  const port = Number(new URL(server.url).port);
  const download = await raw(port, "GET", `/api/files/download/${file.id}`, {
    "API-Key": server.apiKey,
  });
  const [header = "", ...more] = download.all("content-disposition");
  const extended = /^attachment; filename="[ !#-[\]-~]*"; filename\*=UTF-8''([^\s;"]+)$/.exec(
    header,
  );
  if (
    more.length > 0 ||
    extended?.[1] === undefined ||
    decodeURIComponent(extended[1]) !== stored
  ) {
    return result(`Content-Disposition: ${download.all("content-disposition").join(" and ")}`);
  }
  const renamed = await renameTo(server, folder, `${name.slice(0, 100)}2`);
  return result(renamed === 200 || renamed === 400 ? "" : `renamed: ${renamed}`);
}

const partOf = (name: string): Part => ({
  ...filePart("x", "content"),
  filename: "fallback",
  filenameStar: `UTF-8''${percentEncoded(name)}`,
});

/** Encodes every byte, also letters and digits. */
const percentEncoded = (name: string): string =>
  [...Buffer.from(name)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

/** Creates a file, renames it to `name` and deletes it; returns the status of the rename. */
async function renameTo(server: Reachable, folder: string, name: string): Promise<number> {
  const a = api(server);
  const file = await a.put(`${folder} renamed/${crypto.randomUUID()}`, "x");
  const { status } = await a.json("PUT", "/api/files", { id: file.id, name });
  const deleted = await a.json("DELETE", "/api/files", { id: file.id });
  return deleted.status === 200 ? status : deleted.status;
}
