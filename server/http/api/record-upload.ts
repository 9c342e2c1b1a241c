import type { FileRecord } from "../../domain/records.ts";
import type { BatchRecord, UploadRecord } from "../../domain/uploads.ts";
import type { Activity } from "../../insight/activity.ts";

/*
 * Entries in the audit log for files that became visible through a URL with a secret: as uploads by the
 * key or account that made the URL, or as sent by a visitor of the link, from the address of the client
 * that used it.
 */

type Log = Pick<Activity, "record">;

const base = { action: "uploadFiles", outcome: "done" } as const;

export function recordUpload(
  log: Log,
  client: string,
  { maker }: UploadRecord,
  { id, key, size }: FileRecord,
): void {
  log.record({
    ...base,
    status: 204,
    actor: maker,
    address: client,
    subject: { kind: "file", id, name: key },
    detail: { files: 1, bytes: size },
  });
}

export function recordCommit(log: Log, client: string, batch: BatchRecord): void {
  const { maker, folder, files, bytes, result } = batch;
  log.record({
    ...base,
    status: 200,
    actor: maker,
    address: client,
    ...(maker.kind === "link" ? { action: "receiveFiles" } : {}),
    subject: { kind: "folder", id: null, name: folder },
    detail: { files: files - (result?.skipped ?? 0), bytes },
  });
}
