import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { parseKey, parseName } from "../rules/name.ts";
import type { FileRecord } from "../rules/records.ts";
import type { BlobIdAllocator } from "./blob-id-allocator.ts";
import { type FilesFixture, openFilesFixture } from "./files.fixture.ts";
import type { Finding } from "./finding.ts";
import { type Tally, type VerifyParts, verify } from "./verify.ts";

/** A fixture with files whose bytes are theirs, and ways to spoil them. */
export interface VerifyFixture {
  readonly fixture: FilesFixture;
  /** Makes files with these contents, of blocks whose lease has ended. */
  addWhole(contents: readonly string[], folder?: string): Promise<FileRecord[]>;
  /** The same, of a allocator that goes on. */
  addWith(
    allocator: BlobIdAllocator,
    contents: readonly string[],
    folder?: string,
  ): Promise<FileRecord[]>;
  pathOf(file: Pick<FileRecord, "blobId">): string;
  /** Changes one bit. */
  flip(file: FileRecord): Promise<void>;
  lose(file: Pick<FileRecord, "blobId">): Promise<void>;
  /** Puts something into the store. */
  put(place: string, text?: string): Promise<void>;
  verify(parts?: Partial<VerifyParts>): Promise<{ findings: Finding[]; tally: Tally }>;
}

export async function openVerifyFixture(): Promise<VerifyFixture> {
  const fixture = await openFilesFixture();
  let count = 0;

  async function addWith(allocator: BlobIdAllocator, contents: readonly string[], folder = "") {
    const files = [];
    for (const text of contents) {
      const blobId = await allocator.take();
      await fixture.store(blobId, text);
      const bytes = Buffer.from(text);
      count += 1;
      files.push({
        name: parseName(`file ${count}`),
        mimeType: "text/plain",
        size: bytes.length,
        blobId,
        checksum: crc32(bytes),
      });
    }
    const records = await fixture.catalog.addFiles({
      folder: parseKey(folder),
      files,
      visibility: "public",
      owner: allocator.owner,
    });
    for (const { blobId } of records) allocator.markCommitted(blobId);
    return records;
  }

  const pathOf = ({ blobId }: Pick<FileRecord, "blobId">): string =>
    join(fixture.blobFolder, fixture.blobs.placeOf(blobId));

  return {
    fixture,
    addWith,
    async addWhole(contents, folder) {
      const allocator = fixture.createAllocator();
      const files = await addWith(allocator, contents, folder);
      await allocator.close();
      return files;
    },
    pathOf,
    async flip(file) {
      const bytes = await readFile(pathOf(file));
      bytes[0] = (bytes[0] ?? 0) ^ 1;
      await writeFile(pathOf(file), bytes);
    },
    lose: (file) => rm(pathOf(file)),
    async put(place, text = "foreign") {
      const path = join(fixture.blobFolder, place);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    },
    async verify(parts = {}) {
      const findings: Finding[] = [];
      const tally = await verify({
        catalog: fixture.catalog,
        blobs: fixture.blobs,
        depth: "bytes",
        onFinding: (finding) => void findings.push(finding),
        progress: () => {},
        ...parts,
      });
      return { findings, tally };
    },
  };
}
