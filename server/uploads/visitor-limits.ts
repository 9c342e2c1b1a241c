import type { LinkLedger } from "../catalog/port/links.ts";
import type { BeginUpload } from "../files/upload/begin-upload.ts";
import { Fault } from "../rules/fault.ts";
import type { BatchRecord } from "../rules/uploads.ts";
import { unknownBatch } from "./upload-faults.ts";

/** What a visitor of a link may not exceed or choose. */
export interface VisitorLimits {
  /** Bytes that the batch still takes; Infinity: any number. The catalog checks them again. */
  readonly maxBytes: number;
  /** Files that it still takes, likewise. */
  readonly maxFiles: number;
  /** Of every file. */
  readonly properties: { readonly visibility: "private"; readonly metadata: null };
}

/** undefined: the batch was not made by a visitor of a link. Fault "not_found": the link is gone. */
export function createFindVisitorLimits({ linkById }: Pick<LinkLedger, "linkById">) {
  return async ({ maker, files, bytes }: BatchRecord): Promise<VisitorLimits | undefined> => {
    if (maker.kind !== "link") return undefined;
    const link = maker.id === null ? undefined : await linkById(maker.id);
    if (link === undefined) throw unknownBatch();
    const maxBytes = link.maxBytes === null ? Infinity : Math.max(0, link.maxBytes - bytes);
    const maxFiles = link.maxFiles === null ? Infinity : Math.max(0, link.maxFiles - files);
    return { maxBytes, maxFiles, properties: { visibility: "private", metadata: null } };
  };
}

/** Refuses what a batch does not take while it arrives, not when all of it is stored. */
export function withinLimits<Stored>(
  begin: BeginUpload<Stored>,
  { maxBytes, maxFiles }: Pick<VisitorLimits, "maxBytes" | "maxFiles">,
): BeginUpload<Stored> {
  return async (expectedBytes) => {
    const session = await begin(expectedBytes);
    let [files, bytes] = [0, 0];
    async function* counted(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const chunk of body) {
        bytes += chunk.length;
        if (bytes > maxBytes) throw beyondLink(`${maxBytes} bytes`);
        yield chunk;
      }
    }
    return {
      ...session,
      async add(filename, contentType, body) {
        files += 1;
        if (files > maxFiles) throw beyondLink(maxFiles === 1 ? "1 file" : `${maxFiles} files`);
        return session.add(filename, contentType, counted(body));
      },
    };
  };
}

const beyondLink = (amount: string): Fault =>
  new Fault("too_large", `This link takes at most ${amount} at a time.`);
