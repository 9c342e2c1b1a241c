import { Database } from "bun:sqlite";
import { join } from "node:path";
import { type FileNode, type FolderNode, keyOf, type Tree } from "./tree.ts";

/** Reads the catalog of a running server. */
export interface CatalogReader {
  /**
   * Without removed folders that are not emptied yet. Throws if a folder's key does not match its
   * place.
   */
  tree(): Tree;
  close(): void;
}

/** The key of a removed folder begins with a character that no name can contain. */
const IS_LIVE = "substr(key, 1, 1) <> char(1)";

interface FolderRow {
  readonly id: string;
  readonly parent: string | null;
  readonly name: string;
  readonly key: string;
}

interface FileRow {
  readonly id: string;
  readonly parent: string;
  readonly name: string;
  readonly visibility: "public" | "private";
  readonly content: number;
}

export function openCatalogReader(dataPath: string): CatalogReader {
  const db = new Database(join(dataPath, "catalog.sqlite"), { readwrite: true });
  db.run("PRAGMA busy_timeout = 5000");
  db.run("PRAGMA query_only = ON");
  const folders = db.query<FolderRow, []>(
    `select id, parent_id as parent, name, key from folders where ${IS_LIVE}`,
  );
  const files = db.query<FileRow, []>(
    `select id, folder_id as parent, name, visibility, checksum as content from files
     where folder_id in (select id from folders where ${IS_LIVE})`,
  );
  const readRows = db.transaction(() => ({ folders: folders.all(), files: files.all() }));
  return {
    tree() {
      const rows = readRows();
      const tree = new Map<string, FolderNode | FileNode>();
      for (const { id, parent, name } of rows.folders) {
        tree.set(id, { kind: "folder", parent, name });
      }
      for (const { id, ...file } of rows.files) tree.set(id, { kind: "file", ...file });
      for (const { id, key } of rows.folders) {
        const expected = keyOf(tree, id);
        if (key !== expected) throw new Error(`The folder ${expected} has the key ${key}.`);
      }
      return tree;
    },
    close: () => db.close(),
  };
}
