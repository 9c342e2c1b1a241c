import type { Authorized } from "../../domain/callers/authorize.ts";
import { noSuchKey } from "../../domain/faults/s3-fault.ts";
import { createChecksum } from "../../semantics/s3/create-checksum.ts";
import type { ObjectsDeps } from "../deps.ts";
import type { MultipartService, PartToCopy } from "../object-service.ts";
import type { FindUpload } from "./find-upload.ts";

/** Reads the bytes of the source: its MD5 says nothing about a part of it. */
export function createCopyPart(
  { blobs }: Pick<ObjectsDeps, "blobs">,
  { storePart, putPart }: Pick<MultipartService, "storePart" | "putPart">,
  find: FindUpload,
) {
  return async (caller: Authorized<"write">, { source, slice, ...part }: PartToCopy) => {
    const { attributes } = await find(caller, part.id, part.key);
    const { start, end } = slice ?? { start: 0, end: source.size };
    const body = await blobs.read(source.blobId, source.size, { start, end });
    if (body === undefined) throw noSuchKey();
    const md5 = createChecksum("MD5");
    const algorithm = attributes.checksumAlgorithm;
    const checksum = algorithm && createChecksum(algorithm);

    async function* chunks(): AsyncGenerator<Uint8Array> {
      for await (const chunk of streamOf(body ?? new Blob())) {
        md5.update(chunk);
        checksum?.update(chunk);
        yield chunk;
      }
    }

    const stored = await storePart(caller, { ...part, length: end - start, body: chunks() });
    return putPart(caller, {
      stored,
      md5: Buffer.from(md5.digest()).toString("hex"),
      checksums:
        algorithm === undefined || checksum === undefined
          ? {}
          : { [algorithm]: Buffer.from(checksum.digest()).toString("base64") },
      isPrivate: source.visibility === "private",
    });
  };
}

const streamOf = (body: Blob | ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> =>
  body instanceof Blob ? body.stream() : body;
