import type { LinkLedger } from "../catalog/port/links.ts";
import { Fault } from "../domain/faults/fault.ts";
import type { BatchRecord } from "../domain/uploads.ts";
import type { BeginUpload } from "../files/upload/begin-upload.ts";
import { unknownBatch } from "./upload-faults.ts";

/** What a visitor of a link may not exceed or choose. */
export interface VisitorLimits {
  /** Bytes that the batch still takes; Infinity: any number. The catalog checks them again. */
  readonly maxBytes: number;
  /** Files that it still takes, likewise. */
  readonly maxFiles: number;
  /** What the link allows for a whole batch, for messages. */
  readonly ofBatch: { readonly bytes: number; readonly files: number };
  /** The properties that every file gets. */
  readonly properties: {
    readonly visibility: "private";
    readonly lifetime: null;
    readonly metadata: null;
  };
}

/** undefined: the batch was not made by a visitor of a link. Fault "not_found": the link is gone. */
export function createFindVisitorLimits({ linkById }: Pick<LinkLedger, "linkById">) {
  return async ({ maker, files, bytes }: BatchRecord): Promise<VisitorLimits | undefined> => {
    if (maker.kind !== "link") return undefined;
    const link = maker.id === null ? undefined : await linkById(maker.id);
    if (link === undefined) throw unknownBatch();
    const ofBatch = { bytes: link.maxBytes ?? Infinity, files: link.maxFiles ?? Infinity };
    return {
      maxBytes: Math.max(0, ofBatch.bytes - bytes),
      maxFiles: Math.max(0, ofBatch.files - files),
      ofBatch,
      properties: { visibility: "private", lifetime: null, metadata: null },
    };
  };
}

/** Refuses what a batch does not take while it arrives, not when all of it is stored. */
export function withinLimits<Stored>(
  begin: BeginUpload<Stored>,
  { maxBytes, maxFiles, ofBatch }: Pick<VisitorLimits, "maxBytes" | "maxFiles" | "ofBatch">,
): BeginUpload<Stored> {
  return async (expectedBytes) => {
    const session = await begin(expectedBytes);
    let [files, bytes] = [0, 0];
    async function* counted(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const chunk of body) {
        bytes += chunk.length;
        if (bytes > maxBytes) throw beyondLink(`${ofBatch.bytes} bytes`);
        yield chunk;
      }
    }
    return {
      ...session,
      async add(filename, contentType, body) {
        files += 1;
        if (files > maxFiles)
          throw beyondLink(ofBatch.files === 1 ? "1 file" : `${ofBatch.files} files`);
        return session.add(filename, contentType, counted(body));
      },
    };
  };
}

const beyondLink = (amount: string): Fault =>
  new Fault("too_large", `This link takes at most ${amount} at a time.`);
