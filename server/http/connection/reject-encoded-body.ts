import { Fault } from "../../domain/faults/fault.ts";

/** Fault "unsupported_media_type": the body is compressed. The server would read it as it is. */
export function rejectEncodedBody({ method, headers }: Request): void {
  if (method === "GET" || method === "HEAD") return;
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  if (encoding === "" || encoding === "identity") return;
  throw new Fault(
    "unsupported_media_type",
    "The body has a Content-Encoding, which this server does not decode: send it uncompressed, without the header.",
  );
}
