import { Database } from "bun:sqlite";
import type { Blobs } from "../blobs/port.ts";
import type { Catalog } from "../catalog/port/catalog.ts";
import { createUploads } from "../catalog/suite/uploads.fixture.ts";
import type { BlobId } from "../domain/records.ts";
import type { UploadRecord } from "../domain/uploads.ts";

export interface StoredUploads {
  /** Who leases the blocks of the blobs. */
  readonly owner: string;
  /** Unfinished, with four bytes and a tail. */
  readonly upload: UploadRecord;
  readonly batch: string;
  /** The blobs of the batch's sealed members. */
  readonly members: readonly BlobId[];
  /** All blobs of open uploads and of members. */
  readonly blobs: readonly BlobId[];
  /** Runs a statement in the catalog. */
  run(statement: string): void;
}

interface Instance {
  readonly catalog: Catalog;
  readonly blobs: Blobs;
  readonly path: string;
}

/** Makes an open upload, and an open batch with two members, in the catalog and in the store. */
export async function storeUploads({ catalog, blobs, path }: Instance): Promise<StoredUploads> {
  const uploads = createUploads(catalog);

  async function store(id: BlobId, text: string): Promise<void> {
    const writer = await blobs.create(id);
    await writer.write(Buffer.from(text));
    await writer.seal();
  }

  const { id, blobId } = await uploads.add();
  const growing = await blobs.grow(blobId, { offset: 0, growth: null });
  await growing.write(Buffer.from("grow"));
  await growing.checkpoint();
  await growing.write(Buffer.from("after the last checkpoint"));
  await growing.close();
  const tailBlobId = await uploads.takeBlob();
  await store(tailBlobId, "tail");
  const epoch = await uploads.claim(id);
  await uploads.save(id, epoch, { offset: 8, tailBlobId, tailSize: 4 });
  const batch = await uploads.addBatch();
  const members = (await uploads.seal(batch, ["a", "b/c"])).map((member) => member.blobId);
  for (const member of members) await store(member, "bytes");

  return {
    owner: uploads.owner,
    upload: await uploads.find(id),
    batch,
    members,
    blobs: [blobId, tailBlobId, ...members],
    run(statement) {
      const database = new Database(path);
      database.run("PRAGMA busy_timeout = 5000");
      database.run(statement);
      database.close();
    },
  };
}
