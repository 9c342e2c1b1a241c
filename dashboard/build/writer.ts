import { extname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const COMPRESSED = new Set([".js", ".css", ".svg", ".json"]);

/** Writes files to one folder, with Brotli and gzip variants of those that compress well. */
export interface Writer {
  /** Writes the file under a name with a content hash, and returns that name. */
  add(role: string, bytes: Uint8Array): Promise<string>;
  /** Writes a file whose name already has a content hash. */
  addNamed(role: string | undefined, name: string, bytes: Uint8Array): Promise<void>;
  /** Pairs of placeholder in index.html and file name. */
  roles(): Iterable<[string, string]>;
  /** Writes index.html and the list of all files. */
  finish(page: string): Promise<void>;
}

export function createWriter(folder: string): Writer {
  const roles = new Map<string, string>();
  const files: Record<string, { bytes: number; encodings: string[] }> = {};

  async function write(name: string, bytes: Uint8Array): Promise<void> {
    const encodings: string[] = [];
    await Bun.write(join(folder, name), bytes);
    if (COMPRESSED.has(extname(name))) {
      const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
      await Bun.write(join(folder, `${name}.br`), brotliCompressSync(bytes, { params }));
      await Bun.write(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
      encodings.push("br", "gzip");
    }
    files[name] = { bytes: bytes.length, encodings };
  }

  return {
    async add(role, bytes) {
      const hash = Bun.hash(bytes).toString(36).slice(0, 8);
      const extension = extname(role);
      const name = `${role.slice(0, -extension.length)}-${hash}${extension}`;
      roles.set(role, name);
      await write(name, bytes);
      return name;
    },
    async addNamed(role, name, bytes) {
      if (role !== undefined) roles.set(role, name);
      await write(name, bytes);
    },
    roles: () => roles,
    async finish(page) {
      await Bun.write(join(folder, "index.html"), page);
      await Bun.write(join(folder, "files.json"), JSON.stringify(files));
    },
  };
}
