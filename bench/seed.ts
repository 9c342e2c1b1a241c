import { openCatalogRows } from "./catalog-rows.ts";
import { API_KEY, startServer } from "./server-process.ts";

/**
 * Fills the catalog of a stopped server with folders `top/N/M` and file records without bytes, and
 * uploads one real file, `hosted.txt`, to the root.
 */
export async function seed(
  dataPath: string,
  folders: number,
  filesPerFolder: number,
): Promise<{ hostedKey: string }> {
  const server = await startServer({ dataPath });
  const form = new FormData();
  form.append("files", new Blob(["hosted"]), "hosted.txt");
  const headers = { "API-Key": API_KEY };
  await fetch(`${server.url}/api/files`, { method: "POST", headers, body: form });
  await server.stop();

  const start = Date.now() - folders * filesPerFolder;
  const rows = openCatalogRows(dataPath, start);
  const top = rows.addFolder(rows.root, "top", "top");
  let blob = 0;
  for (let number = 0, group = top; number < folders; number += 1) {
    const key = `top/${Math.floor(number / 100)}`;
    if (number % 100 === 0) group = rows.addFolder(top, `${number / 100}`, key);
    const folder = rows.addFolder(group, `${number}`, `${key}/${number}`);
    for (let file = 0; file < filesPerFolder; file += 1) {
      blob += 1;
      rows.addFile({
        folder,
        name: `file-${file}.txt`,
        mimeType: "text/plain",
        size: (blob * 7919) % 1_000_003,
        visibility: "public",
        blob,
        checksum: 0,
        time: start + blob,
      });
    }
  }
  rows.close();
  return { hostedKey: "hosted.txt" };
}
