import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey, splitKey } from "../../domain/names/name.ts";
import type { BlobId, FileRecord } from "../../domain/records.ts";
import { writeS3Attributes } from "../../semantics/s3/attributes.ts";
import type { MultipartRecord, PartContent, PartRecord } from "../../semantics/s3/multipart.ts";
import { newId } from "../engine/ids.ts";
import type { Catalog } from "../port/catalog.ts";
import type { MultipartCompletion, NewMultipart } from "../port/multiparts.ts";
import { createUploader } from "./catalog.fixture.ts";
import { HOUR, maker } from "./uploads.fixture.ts";

export const PART_SIZE = 6 * 1024 ** 2;
export const MAX_OPEN = 1000;

/** Makes multipart uploads as the service does. */
export function createMultiparts(catalog: Catalog, owner = "tester") {
  const uploader = createUploader(catalog, owner);

  const contentOf = (content: Partial<PartContent>): PartContent => ({
    size: PART_SIZE,
    md5: "5d".repeat(16),
    checksum: 1,
    checksums: {},
    blobId: null,
    ...content,
  });

  const self = {
    owner,
    takeBlob: uploader.takeBlob,
    async add(path: string, wanted: Partial<NewMultipart> = {}): Promise<MultipartRecord> {
      const now = Date.now();
      const key = parseKey(path);
      const upload: NewMultipart = {
        id: newId(now),
        bucket: parseKey(path.split("/")[0] ?? ""),
        key,
        maker,
        attributes: { mimeType: "text/plain", metadata: null, visibility: "private" },
        blobId: await uploader.takeBlob(),
        createdAt: now,
        expiresAt: now + HOUR,
        owner,
        ...wanted,
      };
      await catalog.addMultipart(upload, MAX_OPEN);
      return self.find(upload.id);
    },
    async find(id: string): Promise<MultipartRecord> {
      const found = await catalog.multipartById(id);
      if (found === undefined) throw new Error("There is no such multipart upload.");
      return found;
    },
    claim: (uploadId: string, number: number, size = PART_SIZE, claim = `${number}`) =>
      catalog.claimPart({ uploadId, number, size, claim }),
    store: (
      uploadId: string,
      number: number,
      content: Partial<PartContent> = {},
      claim?: string,
    ): Promise<PartRecord> =>
      catalog.storePart({ uploadId, number, claim, content: contentOf(content), owner }),
    /** A part in place. */
    async storeInPlace(uploadId: string, number: number, size = PART_SIZE): Promise<PartRecord> {
      const place = await self.claim(uploadId, number, size);
      if (place === undefined) throw new Error("The place is taken.");
      return self.store(uploadId, number, { size }, `${number}`);
    },
    /** A part with a blob of its own. */
    async storeApart(uploadId: string, number: number, size = PART_SIZE): Promise<PartRecord> {
      return self.store(uploadId, number, { size, blobId: await uploader.takeBlob() });
    },
    async complete(
      upload: MultipartRecord,
      parts: readonly PartRecord[],
      blobId: BlobId,
      wanted: Partial<MultipartCompletion> = {},
    ): Promise<FileRecord> {
      const place = splitKey(upload.key);
      if (place === undefined) throw new Error("The root is no object.");
      const etag = `${"0d".repeat(16)}-${parts.length}`;
      return catalog.completeMultipart(COMMAND_EVERYWHERE, {
        uploadId: upload.id,
        parts,
        file: {
          name: place.name,
          mimeType: "text/plain",
          size: parts.reduce((sum, { size }) => sum + size, 0),
          blobId,
          checksum: 9,
          sha256: null,
          s3: writeS3Attributes({ etag }),
        },
        etag,
        owner,
        answerUntil: Date.now() + HOUR,
        ...wanted,
      });
    },
  };
  return self;
}
