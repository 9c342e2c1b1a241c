import { digestField } from "../../rules/digest-fields.ts";
import { hostingUrl } from "../../rules/hosting-url.ts";
import { booleanField } from "../../rules/upload-fields.ts";
import { etag, httpDate } from "../../rules/validators.ts";
import type { AppendResult } from "../../uploads/append-result.ts";
import type { HeaderFields } from "../reply.ts";

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
