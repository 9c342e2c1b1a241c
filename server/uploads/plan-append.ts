import { Fault } from "../domain/faults/fault.ts";
import { checkMaxUploadSize } from "../domain/max-upload-size.ts";
import { mediaType } from "../domain/media.ts";
import { matchesMediaPatterns } from "../domain/media-pattern.ts";
import { childKey } from "../domain/names/name.ts";
import type { Name, Sha256 } from "../domain/records.ts";
import type { UploadRecord } from "../domain/uploads.ts";
import { endsEarly, wrongOffset } from "./upload-faults.ts";

/** What a request says about the bytes that it brings. null: it says nothing. */
export interface AppendHead {
  /** The position at which they begin. */
  readonly offset: number;
  /** How many there are. */
  readonly size: number | null;
  /** The length of the whole file. */
  readonly length: number | null;
  /** Whether the file ends with them. */
  readonly isLast: boolean | null;
  readonly name: Name | null;
  readonly contentType: string | null;
  /** What the whole file must have. */
  readonly sha256: Sha256 | null;
}

export interface AppendPlan {
  /** The length of the whole file; null: still unknown. */
  readonly length: number | null;
  readonly name: Name;
  readonly contentType: string | null;
  readonly mimeType: string;
  /** What the whole file must have; null: anything. */
  readonly expectedSha256: Sha256 | null;
  /** The file has at most this many bytes. */
  readonly end: number;
  /** The file ends where the body ends, wherever that is. */
  readonly endsWithBody: boolean;
}

/**
 * Checks a request against its upload. Faults: "conflict": it does not begin where the upload ends;
 * "invalid": it contradicts the upload, or the file has no name; "too_large"; "unsupported_media_type".
 */
export function planAppend(upload: UploadRecord, head: AppendHead): AppendPlan {
  if (head.offset !== upload.offset) throw wrongOffset(upload.offset);
  const length = lengthOf(upload, head);
  checkMaxUploadSize(length ?? undefined, upload.maxSize);
  const end = length ?? upload.maxSize;
  if (head.size !== null) checkEnd(head.offset + head.size, { length, end });
  const { name, contentType } = nameOf(upload, head);
  return {
    length,
    name,
    contentType,
    end,
    mimeType: allowedType(upload, name, contentType),
    expectedSha256: digestOf(upload, head),
    endsWithBody: length === null && head.isLast === true,
  };
}

function lengthOf(upload: UploadRecord, head: AppendHead): number | null {
  const ofLast = head.isLast === true && head.size !== null ? head.offset + head.size : null;
  const announced = upload.length ?? head.length;
  if (ofLast !== null && announced !== null && ofLast < announced) {
    throw endsEarly(ofLast, announced, upload.offset);
  }
  const given = [upload.length, head.length, ofLast].filter((each) => each !== null);
  const [length = null, ...others] = given;
  if (others.some((other) => other !== length)) {
    throw new Fault(
      "invalid",
      `The length of the file is given as ${given.join(" and ")} bytes: it must not change.`,
    );
  }
  if (length !== null && length < upload.offset) {
    throw new Fault(
      "invalid",
      `Upload-Length is ${length}, but ${upload.offset} bytes are stored already.`,
    );
  }
  return length;
}

function digestOf({ expectedSha256 }: UploadRecord, { sha256 }: AppendHead): Sha256 | null {
  if (expectedSha256 !== null && sha256 !== null && sha256 !== expectedSha256) {
    throw new Fault(
      "invalid",
      `The SHA-256 of the file is given as ${expectedSha256} and ${sha256}: it must not change.`,
    );
  }
  return expectedSha256 ?? sha256;
}

function nameOf(upload: UploadRecord, head: AppendHead) {
  const { name, contentType } = upload;
  if (name !== null) return { name, contentType };
  if (head.name === null) {
    throw new Fault(
      "invalid",
      "The file has no name yet: send `Upload-Metadata: filename BASE64` with the first bytes.",
    );
  }
  // Also refuses a name that makes the key too long.
  childKey(upload.folder, head.name);
  return { name: head.name, contentType: contentType ?? head.contentType };
}

/** The media type of the file. Fault "unsupported_media_type": the upload does not allow it. */
export function allowedType(
  { types }: Pick<UploadRecord, "types">,
  name: Name,
  contentType: string | null,
): string {
  const mimeType = mediaType(name, contentType ?? undefined);
  if (matchesMediaPatterns(types, mimeType)) return mimeType;
  throw new Fault(
    "unsupported_media_type",
    `"${name}" has the type ${mimeType}, but this upload takes only ${types.join(", ")}.`,
  );
}

/** Fault "too_large": bytes up to `at` are more than the file has, or may have. */
export function checkEnd(at: number, { length, end }: Pick<AppendPlan, "length" | "end">): void {
  if (length === null) checkMaxUploadSize(at, end);
  else if (at > end) {
    throw new Fault("too_large", `The file has ${length} bytes, but the body brings more.`, {
      details: { limit: length },
    });
  }
}
