import type { LinkLedger } from "../catalog/port/links.ts";
import type { BatchRecord } from "../rules/uploads.ts";
import { unknownBatch } from "./upload-faults.ts";

/** What a visitor of a link may not exceed or choose. */
export interface VisitorLimits {
  /** Bytes that the batch still takes; Infinity: any number. The catalog checks them again. */
  readonly maxBytes: number;
  /** Of every file. */
  readonly properties: { readonly visibility: "private"; readonly metadata: null };
}

/** undefined: the batch was not made by a visitor of a link. Fault "not_found": the link is gone. */
export function createFindVisitorLimits({ linkById }: Pick<LinkLedger, "linkById">) {
  return async ({ maker, bytes }: BatchRecord): Promise<VisitorLimits | undefined> => {
    if (maker.kind !== "link") return undefined;
    const link = maker.id === null ? undefined : await linkById(maker.id);
    if (link === undefined) throw unknownBatch();
    const maxBytes = link.maxBytes === null ? Infinity : Math.max(0, link.maxBytes - bytes);
    return { maxBytes, properties: { visibility: "private", metadata: null } };
  };
}
