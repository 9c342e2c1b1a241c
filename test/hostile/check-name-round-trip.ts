import { api, type Reachable, send } from "../client.ts";
import { field, filePart, type Part } from "../multipart.ts";
import { raw } from "../raw.ts";
import { storedName } from "./hostile-name.ts";

/** The result for a name: the error, if any, and whether it was accepted. */
export interface NameResult {
  readonly stored: string | undefined;
  readonly problem: string;
}

/**
 * Uses a name in an upload, lists, hosting, signing, a download and a rename. It must be returned
 * unchanged, or be rejected with 400 where the contract says so.
 */
export async function checkNameRoundTrip(
  server: Reachable,
  folder: string,
  name: string,
): Promise<NameResult> {
  const stored = storedName(name);
  const told = (problem: string): NameResult => ({ stored, problem });
  const a = api(server);

  const answer = await a.upload([field("folder", folder), partOf(name)]);
  if (stored === undefined) {
    const renamed = await renameTo(server, folder, name);
    return told(
      answer.status === 400 && renamed === 400 ? "" : `taken: ${answer.status} ${renamed}`,
    );
  }
  if (answer.status !== 200) return told(`refused: ${answer.status} ${answer.text}`);
  const [file] = JSON.parse(answer.text).data.files;
  if (file.name !== stored || file.key !== `${folder}/${stored}`) return told(`became ${file.key}`);

  const found = await a.get(`/api/files?key=${encodeURIComponent(file.key)}`);
  if (JSON.parse(found.text).data?.file.id !== file.id) return told(`not found: ${found.text}`);
  const listed = await a.get(`/api/files?name=${encodeURIComponent(stored)}`);
  const names: { id: string }[] = JSON.parse(listed.text).data?.files ?? [];
  if (!names.some(({ id }) => id === file.id)) return told(`not listed: ${listed.text}`);

  const hosted = await send(server, "GET", `/${file.url}`);
  if (hosted.status !== 200 || hosted.text !== "content") return told(`hosted: ${hosted.status}`);
  const port = Number(new URL(server.url).port);
  const saved = await raw(port, "GET", `/api/files/download/${file.id}`, {
    "API-Key": server.apiKey,
  });
  const [header = "", ...more] = saved.all("content-disposition");
  const extended = /^attachment; filename="[ !#-[\]-~]*"; filename\*=UTF-8''([^\s;"]+)$/.exec(
    header,
  );
  if (
    more.length > 0 ||
    extended?.[1] === undefined ||
    decodeURIComponent(extended[1]) !== stored
  ) {
    return told(`its download says ${saved.all("content-disposition").join(" and ")}`);
  }
  const renamed = await renameTo(server, folder, `${name.slice(0, 100)}2`);
  return told(renamed === 200 || renamed === 400 ? "" : `renamed: ${renamed}`);
}

const partOf = (name: string): Part => ({
  ...filePart("x", "content"),
  filename: "fallback",
  filenameStar: `UTF-8''${encoded(name)}`,
});

/** Percent-encodes everything but letters and digits. */
const encoded = (name: string): string =>
  [...Buffer.from(name)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

/** Renames another file to this name and back; returns the status. */
async function renameTo(server: Reachable, folder: string, name: string): Promise<number> {
  const a = api(server);
  const plain = await a.put(`${folder} renamed/${crypto.randomUUID()}`, "x");
  const { status } = await a.json("PUT", "/api/files", { id: plain.id, name });
  const removed = await a.json("DELETE", "/api/files", { id: plain.id });
  return removed.status === 200 ? status : removed.status;
}
