import { forEachConcurrently } from "../../server/lib/for-each-concurrently.ts";
import type { StorageServer } from "./storage-server.ts";

export const KB = 1024;
export const MB = 1024 * KB;

const AT_ONCE = 8;

/** Uploads files, and reads each without credentials. Throws unless it is what was uploaded. */
export async function createFiles(
  { name: serverName, url, upload, publicPath }: StorageServer,
  names: readonly string[],
  size: number,
): Promise<void> {
  await forEachConcurrently(names, AT_ONCE, async (name) => {
    const content = `${name} `.repeat(Math.ceil(size / (name.length + 1))).slice(0, size);
    const { path, method = "POST", headers = [], body = "" } = upload(name, content);
    const sent = await fetch(url + path, { method, headers: fieldsOf(headers), body });
    if (!sent.ok) throw new Error(`${serverName}: ${sent.status} ${await sent.text()}`);
    const response = await fetch(url + publicPath(name));
    if (!response.ok || (await response.text()) !== content) {
      throw new Error(`${serverName} returns other bytes of ${name}: ${response.status}`);
    }
  });
}

function fieldsOf(lines: readonly string[]): Headers {
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(": ");
    headers.set(line.slice(0, colon), line.slice(colon + 2));
  }
  return headers;
}
