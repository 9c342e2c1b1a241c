import type { Blobs } from "../blobs/port.ts";
import type { Catalog } from "../catalog/port/catalog.ts";
import { createMultiparts, PART_SIZE } from "../catalog/suite/multiparts.fixture.ts";
import type { BlobId } from "../domain/records.ts";
import type { MultipartRecord, PartRecord } from "../semantics/s3/multipart.ts";

export interface StoredMultipart {
  /** Who leases the blocks of the blobs. */
  readonly owner: string;
  readonly upload: MultipartRecord;
  /** The first in place, the second with a blob of its own. */
  readonly parts: readonly PartRecord[];
  /** All blobs of the upload. */
  readonly blobs: readonly BlobId[];
}

/** Makes an unfinished multipart upload of two parts, in the catalog and in the store. */
export async function storeMultipart({
  catalog,
  blobs,
}: {
  readonly catalog: Catalog;
  readonly blobs: Blobs;
}): Promise<StoredMultipart> {
  const { partsInPlace } = blobs;
  if (partsInPlace === null) throw new Error("The store writes no parts in place.");
  const multiparts = createMultiparts(catalog, "multipart tester");
  const blobId = await multiparts.takeBlob();
  await partsInPlace.begin(blobId);
  const upload = await multiparts.add("bucket/object", { blobId });
  const place = await partsInPlace.write(blobId, 0);
  await place.write(Buffer.alloc(PART_SIZE, "in place"));
  await place.seal();
  const first = await multiparts.storeInPlace(upload.id, 1);
  const second = await multiparts.storeApart(upload.id, 2, 5);
  if (second.blobId === null) throw new Error("The part has no blob.");
  const writer = await blobs.create(second.blobId);
  await writer.write(Buffer.from("apart"));
  await writer.seal();
  return {
    owner: multiparts.owner,
    upload: await multiparts.find(upload.id),
    parts: [first, second],
    blobs: [blobId, second.blobId],
  };
}
