import { Database } from "bun:sqlite";
import { join } from "node:path";
import { API_KEY, startServer } from "./server-process.ts";

/**
 * Fills the catalog of a data folder that nobody serves with `top/N/M` folders and files in them,
 * as records without bytes, and one real file `hosted.txt` at the root.
 */
export async function seed(
  dataPath: string,
  folders: number,
  filesPerFolder: number,
): Promise<{ hostedKey: string }> {
  const server = await startServer(dataPath);
  const form = new FormData();
  form.append("files", new Blob(["hosted"]), "hosted.txt");
  const headers = { "API-Key": API_KEY };
  await fetch(`${server.url}/api/files`, { method: "POST", headers, body: form });
  await server.stop();

  const db = new Database(join(dataPath, "catalog.sqlite"));
  const root = db.query<{ id: string }, []>("select id from folders where parent_id is null").get();
  const addFolder = db.query(
    "insert into folders (id, parent_id, name, key, created_at, updated_at) values (?, ?, ?, ?, ?, ?)",
  );
  const addFile = db.query(
    "insert into files (id, folder_id, name, mime_type, size, visibility, blob_id, checksum, modified_at, created_at, updated_at) values (?, ?, ?, 'text/plain', ?, 'public', ?, 0, ?, ?, ?)",
  );
  const start = Date.now() - folders * filesPerFolder;
  const folder = (parent: string, name: string, key: string): string => {
    const id = Bun.randomUUIDv7();
    addFolder.run(id, parent, name, key, start, start);
    return id;
  };

  db.transaction(() => {
    const top = folder(root?.id ?? "", "top", "top");
    let blob = 0;
    for (let number = 0, group = top; number < folders; number += 1) {
      const key = `top/${Math.floor(number / 100)}`;
      if (number % 100 === 0) group = folder(top, `${number / 100}`, key);
      const id = folder(group, `${number}`, `${key}/${number}`);
      for (let file = 0; file < filesPerFolder; file += 1) {
        blob += 1;
        const time = start + blob;
        const size = (blob * 7919) % 1_000_003;
        addFile.run(
          Bun.randomUUIDv7("hex", time),
          id,
          `file-${file}.txt`,
          size,
          blob,
          time,
          time,
          time,
        );
      }
    }
  })();
  db.run("analyze");
  db.close();
  return { hostedKey: "hosted.txt" };
}
