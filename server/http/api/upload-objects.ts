import type { BatchMember, BatchObject, BatchUpload, UploadObject } from "../../../contract/api.ts";
import { splitKey } from "../../domain/names/name.ts";
import { timestamp } from "../../domain/timestamp.ts";
import type {
  BatchRecord,
  BatchMember as MemberRecord,
  UploadRecord,
} from "../../domain/uploads.ts";

/* Uploads and batches as API objects, with exactly the fields of the contract. */

const uploadFields = (upload: UploadRecord): BatchUpload => ({
  id: upload.id,
  folder: upload.folder,
  name: upload.name,
  size: upload.length,
  offset: upload.offset,
});

export const batchUpload = uploadFields;

export const shownUpload = (upload: UploadRecord): Omit<UploadObject, "url"> => ({
  ...uploadFields(upload),
  maxSize: upload.maxSize,
  types: [...upload.types],
  visibility: upload.visibility,
  expiresAt: timestamp(upload.expiresAt),
});

/** `token` is the last segment of its URL, which only its creator gets. */
export const uploadObject = (upload: UploadRecord, token: string): UploadObject => ({
  ...shownUpload(upload),
  url: `api/uploads/${token}`,
});

export const batchObject = (batch: BatchRecord): BatchObject => ({
  id: batch.id,
  state: batch.state,
  folder: shownFolder(batch),
  visibility: batch.visibility,
  onConflict: batch.onConflict,
  files: batch.files,
  bytes: batch.bytes,
  result: batch.result && {
    added: batch.result.added,
    replaced: batch.result.replaced,
    skipped: batch.result.skipped,
    committedAt: timestamp(batch.result.committedAt),
  },
  createdAt: timestamp(batch.createdAt),
  expiresAt: timestamp(batch.expiresAt),
});

/** Visitors of a link do not see where its folder is. */
const shownFolder = ({ maker, folder }: BatchRecord): string =>
  maker.kind === "link" ? (splitKey(folder)?.name ?? "") : folder;

export const batchMember = (member: MemberRecord): BatchMember => ({
  folder: member.folder,
  name: member.name,
  size: member.size,
  mimeType: member.mimeType,
  sha256: member.sha256,
});
