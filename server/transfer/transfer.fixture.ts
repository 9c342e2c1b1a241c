import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiskBlobs } from "../blobs/disk/disk.ts";
import { createDiskCopies } from "../blobs/disk/disk-copies.ts";
import type { BlobInspection, Blobs } from "../blobs/port.ts";
import type { Catalog } from "../catalog/port/catalog.ts";
import { openSnapshot, takeSnapshot } from "../catalog/sqlite/snapshots.ts";
import { openSqliteCatalog } from "../catalog/sqlite/sqlite-catalog.ts";
import { AUTHORIZED_COMMAND } from "../domain/callers/authorize.ts";
import { parseKey } from "../domain/names/name.ts";
import { createSigner } from "../domain/tokens/signature.ts";
import { createFiles, type Files } from "../files/files.ts";
import { createProgress, type TransferReport } from "./progress.ts";

/** An open instance, with destinations for copies of it. */
export interface TransferFixture {
  readonly folder: string;
  readonly catalog: Catalog;
  readonly blobs: Blobs & BlobInspection;
  readonly files: Files;
  /** The reported problems, each as `key: problem`. */
  readonly problems: string[];
  readonly report: TransferReport;
  snapshot(): ReturnType<typeof openSnapshot>;
  destination(name: string): Promise<{
    copies: Awaited<ReturnType<typeof createDiskCopies>>;
    blobs: Blobs & BlobInspection;
  }>;
  put(path: string, content: string | Uint8Array): Promise<string>;
  /** As if an earlier version had stored the files of this name. */
  forgetDigest(name: string): void;
  end(): Promise<void>;
}

export async function openTransferFixture(): Promise<TransferFixture> {
  const folder = mkdtempSync(join(tmpdir(), "holdall-transfer-"));
  const path = join(folder, "catalog.sqlite");
  const catalog = await openSqliteCatalog({ path, exclusive: true });
  const blobs = await createDiskBlobs(join(folder, "blobs"));
  const problems: string[] = [];
  const files = createFiles({
    catalog,
    blobs,
    lostRecords: {
      quarantine: "lost",
      isSuspected: () => false,
      suspect(reason) {
        throw new Error(reason);
      },
      onMoved() {},
    },
    owner: crypto.randomUUID(),
    signer: createSigner("a secret that is long enough for this"),
    settings: () => ({
      defaultVisibility: "public",
      maxUploadSize: 2 ** 40,
      maxFilesPerRequest: 1000,
      trashDays: 30,
      trashDeletions: false,
      keepVersions: false,
      minFreeSpace: 0,
      defaultPresignSeconds: 60,
      maxPresignSeconds: 60,
    }),
    onDamage: () => {},
    onError: (message, cause) => {
      throw new Error(message, { cause });
    },
  });

  async function* chunksOf(content: Uint8Array) {
    yield content;
  }

  return {
    folder,
    catalog,
    blobs,
    files,
    problems,
    report: {
      progress: createProgress(),
      onProblem: (key, problem) => void problems.push(`${key}: ${problem}`),
    },
    async snapshot() {
      const to = join(folder, "snapshot.sqlite");
      await takeSnapshot(path, to);
      return openSnapshot(to);
    },
    async destination(name) {
      const root = join(folder, name, "blobs");
      return {
        copies: await createDiskCopies(root, async () => {}),
        blobs: await createDiskBlobs(root),
      };
    },
    async put(key, content) {
      const slash = key.lastIndexOf("/");
      const bytes = typeof content === "string" ? Buffer.from(content) : content;
      const name = key.slice(slash + 1);
      const session = await files.beginUpload(AUTHORIZED_COMMAND, 0);
      await session.add(name, undefined, chunksOf(bytes));
      const [file] = await session.commit({ folder: parseKey(key.slice(0, Math.max(slash, 0))) });
      if (file === undefined) throw new Error("No file was stored.");
      return file.id;
    },
    forgetDigest(name) {
      const database = new Database(path);
      database.run("UPDATE files SET sha256 = NULL WHERE name = ?", [name]);
      database.close();
    },
    async end() {
      await files.close();
      await catalog.close();
      rmSync(folder, { recursive: true });
    },
  };
}
