import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import type { FileRecord } from "../../domain/records.ts";
import { type FilesFixture, openFilesFixture } from "../files.fixture.ts";
import type { BlobIdAllocator } from "../upload/blob-id-allocator.ts";
import { type ContentSums, createContentHash } from "../upload/content-hash.ts";
import type { Finding } from "./finding.ts";
import { type Tally, type VerifyDeps, verify } from "./verify.ts";

/** A `FilesFixture` with files of known content, and ways to damage them. */
export interface VerifyFixture {
  readonly fixture: FilesFixture;
  /** Adds files with these contents, in a block whose lease has ended. */
  addFiles(contents: readonly string[], folder?: string): Promise<FileRecord[]>;
  /** The same with an allocator that stays open. */
  addFilesWith(
    allocator: BlobIdAllocator,
    contents: readonly string[],
    folder?: string,
  ): Promise<FileRecord[]>;
  pathOf(file: Pick<FileRecord, "blobId">): string;
  /** Changes one bit of the blob. */
  flipBit(file: FileRecord): Promise<void>;
  deleteBlob(file: Pick<FileRecord, "blobId">): Promise<void>;
  /** Writes a file into the folder of the blobs. */
  writeToStore(place: string, text?: string): Promise<void>;
  verify(parts?: Partial<VerifyDeps>): Promise<{ findings: Finding[]; tally: Tally }>;
}

export async function openVerifyFixture(): Promise<VerifyFixture> {
  const fixture = await openFilesFixture();
  let count = 0;

  async function addFilesWith(
    allocator: BlobIdAllocator,
    contents: readonly string[],
    folder = "",
  ) {
    const files = [];
    for (const text of contents) {
      const blobId = await allocator.take();
      await fixture.store(blobId, text);
      count += 1;
      files.push({
        name: parseName(`file ${count}`),
        mimeType: "text/plain",
        blobId,
        ...sumsOf(text),
      });
    }
    const records = await fixture.catalog.addFiles(COMMAND_EVERYWHERE, {
      folder: parseKey(folder),
      files,
      defaultVisibility: "public",
      owner: allocator.owner,
    });
    for (const { blobId } of records) allocator.markCommitted(blobId);
    return records;
  }

  const pathOf = ({ blobId }: Pick<FileRecord, "blobId">): string =>
    join(fixture.blobFolder, fixture.blobs.placeOf(blobId));

  return {
    fixture,
    addFilesWith,
    async addFiles(contents, folder) {
      const allocator = fixture.createAllocator();
      const files = await addFilesWith(allocator, contents, folder);
      await allocator.close();
      return files;
    },
    pathOf,
    async flipBit(file) {
      const bytes = await readFile(pathOf(file));
      bytes[0] = (bytes[0] ?? 0) ^ 1;
      await writeFile(pathOf(file), bytes);
    },
    deleteBlob: (file) => rm(pathOf(file)),
    async writeToStore(place, text = "foreign") {
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

function sumsOf(text: string): ContentSums {
  const hash = createContentHash();
  hash.update(Buffer.from(text));
  return hash.end();
}
