import { hostingUrl } from "../../domain/names/hosting-url.ts";
import { booleanField } from "../../domain/upload-fields.ts";
import { digestField } from "../../semantics/digest-fields.ts";
import { etag, httpDate } from "../../semantics/etag.ts";
import type { AppendResult } from "../../uploads/append-result.ts";
import type { HeaderFields } from "../connection/reply.ts";

export type UploadView = Omit<AppendResult, "isCompleted">;

/** How much of an upload is stored, and its file once it is complete. `base`: the path of the public URL. */
export function progressFields({ upload, file, sha256 }: UploadView, base: string): HeaderFields {
  const isComplete = upload.state === "finished";
  return {
    "Cache-Control": "no-store",
    "Upload-Offset": String(upload.offset),
    "Upload-Complete": booleanField(isComplete),
    ...(isComplete ? {} : { "Upload-Expires": httpDate(upload.expiresAt) }),
    ...(sha256 === undefined ? {} : { "Repr-Digest": digestField(sha256) }),
    ...(file === undefined
      ? {}
      : { "Content-Location": `${base}/${hostingUrl(file.key)}`, "Holdall-File": file.id }),
    // Private files have no validators.
    ...(file?.visibility === "public" ? { ETag: etag(file.size, file.modifiedAt) } : {}),
  };
}

/** Everything that `HEAD` says. */
export function stateFields(view: UploadView, base: string): HeaderFields {
  const { length, maxSize, tusMetadata } = view.upload;
  return {
    ...progressFields(view, base),
    ...(length === null ? { "Upload-Defer-Length": "1" } : { "Upload-Length": String(length) }),
    "Upload-Limit": `max-size=${maxSize}`,
    ...(tusMetadata === null ? {} : { "Upload-Metadata": tusMetadata }),
  };
}
