import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { parseKey, parseName } from "../rules/name.ts";
import type { FileRecord } from "../rules/records.ts";
import { type Bed, openBed } from "./bed.fixture.ts";
import type { BlobIdAllocator } from "./blob-id-allocator.ts";
import type { Finding } from "./finding.ts";
import { type Tally, type VerifyParts, verify } from "./verify.ts";

/** A bed with files whose bytes are theirs, and ways to spoil them. */
export interface VerifyBed {
  readonly bed: Bed;
  /** Makes files with these contents, of blocks whose lease has ended. */
  addWhole(contents: readonly string[], folder?: string): Promise<FileRecord[]>;
  /** The same, of a desk that goes on. */
  addWith(
    desk: BlobIdAllocator,
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

export async function openVerifyBed(): Promise<VerifyBed> {
  const bed = await openBed();
  let count = 0;

  async function addWith(desk: BlobIdAllocator, contents: readonly string[], folder = "") {
    const files = [];
    for (const text of contents) {
      const blobId = await desk.take();
      await bed.store(blobId, text);
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
    const records = await bed.catalog.addFiles({
      folder: parseKey(folder),
      files,
      visibility: "public",
      owner: desk.owner,
    });
    for (const { blobId } of records) desk.settle(blobId);
    return records;
  }

  const pathOf = ({ blobId }: Pick<FileRecord, "blobId">): string =>
    join(bed.blobFolder, bed.blobs.placeOf(blobId));

  return {
    bed,
    addWith,
    async addWhole(contents, folder) {
      const desk = bed.createDesk();
      const files = await addWith(desk, contents, folder);
      await desk.close();
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
      const path = join(bed.blobFolder, place);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    },
    async verify(parts = {}) {
      const findings: Finding[] = [];
      const tally = await verify({
        catalog: bed.catalog,
        blobs: bed.blobs,
        depth: "bytes",
        hear: (finding) => void findings.push(finding),
        progress: () => {},
        ...parts,
      });
      return { findings, tally };
    },
  };
}
