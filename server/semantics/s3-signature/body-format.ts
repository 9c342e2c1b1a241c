import { S3Fault } from "../../domain/faults/s3-fault.ts";
import type { Sha256 } from "../../domain/records.ts";
import type { ChunkSigner } from "./chunk-signer.ts";

/** How the body of a request is framed, and what proves its content. */
export type BodyFormat =
  | {
      readonly kind: "plain";
      /** The content must have it. undefined: the body is not signed. */
      readonly sha256: Sha256 | undefined;
    }
  | {
      /** Framed as `aws-chunked`. */
      readonly kind: "chunked";
      /** undefined: the chunks are not signed. */
      readonly sign: ChunkSigner | undefined;
      /** Whether trailers follow the last chunk. */
      readonly trailer: boolean;
    };

/** The format of a body that no signature covers. */
export const UNSIGNED_BODY: BodyFormat = { kind: "plain", sha256: undefined };

export const UNSIGNED_PAYLOAD = "UNSIGNED-PAYLOAD";

/**
 * The format that `x-amz-content-sha256` names. `signer` makes the signer of the chunks. S3Fault
 * "InvalidArgument": it is none of S3's values; "NotImplemented": an algorithm that is not supported.
 */
export function bodyFormatOf(payload: string, signer: () => ChunkSigner): BodyFormat {
  switch (payload) {
    case UNSIGNED_PAYLOAD:
      return UNSIGNED_BODY;
    case "STREAMING-UNSIGNED-PAYLOAD-TRAILER":
      return { kind: "chunked", sign: undefined, trailer: true };
    case "STREAMING-AWS4-HMAC-SHA256-PAYLOAD":
      return { kind: "chunked", sign: signer(), trailer: false };
    case "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER":
      return { kind: "chunked", sign: signer(), trailer: true };
  }
  if (/^[0-9a-f]{64}$/i.test(payload)) {
    return { kind: "plain", sha256: payload.toLowerCase() as Sha256 };
  }
  if (payload.startsWith("STREAMING-")) {
    throw new S3Fault(
      "NotImplemented",
      `The server does not support the x-amz-content-sha256 ${payload}.`,
    );
  }
  throw new S3Fault(
    "InvalidArgument",
    "x-amz-content-sha256 must be UNSIGNED-PAYLOAD, STREAMING-UNSIGNED-PAYLOAD-TRAILER, STREAMING-AWS4-HMAC-SHA256-PAYLOAD, STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER or the SHA-256 of the body in hex.",
  );
}
