import { Database } from "bun:sqlite";
import { join } from "node:path";
import { naturalName } from "../contract/text/natural-name.ts";

/** Writes records directly into the SQLite catalog of a stopped server. */
export interface CatalogRows {
  readonly root: string;
  addFolder(parent: string, name: string, key: string): string;
  addFile(file: FileRow): string;
  /** Commits everything in one transaction. */
  close(): void;
}

export interface FileRow {
  readonly folder: string;
  readonly name: string;
  readonly mimeType: string;
  readonly size: number;
  readonly visibility: "public" | "private";
  readonly blob: number;
  /** CRC-32 of the content, which the server compares when it caches the file; 0: it has no bytes. */
  readonly checksum: number;
  /** In hexadecimal digits, compared likewise. Default: unknown. */
  readonly sha256?: string | undefined;
  /** Milliseconds since the Unix epoch. */
  readonly time: number;
}

export function openCatalogRows(dataPath: string, start: number): CatalogRows {
  const db = new Database(join(dataPath, "catalog.sqlite"));
  // After a power cut, the seed simply starts again.
  db.run("pragma synchronous = off");
  db.run("pragma cache_size = -1000000");
  const root = db.query<{ id: string }, []>("select id from folders where parent_id is null").get();
  const insertFolder = db.query(
    "insert into folders (id, parent_id, name, key, created_at, updated_at) values (?, ?, ?, ?, ?, ?)",
  );
  const insertFile = db.query(
    "insert into files (id, folder_id, name, natural_name, mime_type, size, visibility, blob_id, checksum, sha256, modified_at, created_at, updated_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
  );
  db.run("begin");
  return {
    root: root?.id ?? "",
    addFolder(parent, name, key) {
      const id = Bun.randomUUIDv7();
      insertFolder.run(id, parent, name, key, start, start);
      return id;
    },
    addFile({ folder, name, mimeType, size, visibility, blob, checksum, sha256, time }) {
      const id = Bun.randomUUIDv7("hex", time);
      insertFile.run(
        id,
        folder,
        name,
        naturalName(name),
        mimeType,
        size,
        visibility,
        blob,
        checksum,
        sha256 ?? null,
        time,
        time,
        time,
      );
      return id;
    },
    close() {
      db.run("commit");
      db.close();
    },
  };
}
