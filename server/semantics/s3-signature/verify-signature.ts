import { S3Fault } from "../../domain/faults/s3-fault.ts";
import type { Millis } from "../../domain/records.ts";
import type { BodyFormat } from "./body-format.ts";
import { type ChunkSigner, createChunkSigner } from "./chunk-signer.ts";
import type { SigningSecret } from "./s3-secret.ts";
import { type CredentialScope, isSignature, signText, signTextV2 } from "./signing.ts";

/**
 * What proves who sends an S3 request: an Authorization header, the query of a presigned URL, or a
 * policy in a form. All kinds have the same parts, so `verifySignature` verifies all of them.
 */
export interface SignedCredentials {
  readonly kind: "header" | "query" | "form";
  readonly accessKeyId: string;
  /** null: it is of Signature Version 2, which signs with the secret itself. */
  readonly scope: CredentialScope | null;
  /** In lower-case hex; of Version 2 in base64. */
  readonly signature: string;
  /** The texts that may be signed. More than one: a reverse proxy may have changed the host. */
  readonly texts: readonly string[];
  /** The headers that count where the query has some of them: `presignedHeaders`. Default: those of the request. */
  readonly headers?: Headers;
  /** S3Fault: it is not valid at this time. */
  checkTime(now: Millis): void;
  /** The format of the body; `chunkSigner` makes the signer of its chunks. */
  readonly body: (chunkSigner: () => ChunkSigner) => BodyFormat;
}

/**
 * The format of the body. S3Fault "SignatureDoesNotMatch", or that of `checkTime`.
 */
export function verifySignature(
  credentials: SignedCredentials,
  secret: Pick<SigningSecret, "text" | "signingKey">,
  now: Millis,
): BodyFormat {
  const { texts, signature, scope } = credentials;
  credentials.checkTime(now);
  const key = scope === null ? undefined : secret.signingKey(scope);
  const isGenuine = texts.some((text) =>
    isSignature(
      key === undefined ? signTextV2(secret.text(), text) : signText(key, text),
      signature,
    ),
  );
  if (!isGenuine) {
    throw new S3Fault(
      "SignatureDoesNotMatch",
      "The request signature we calculated does not match the signature you provided. Check the secret access key (`holdall keys s3 ID` shows it) and that no proxy changes the host, path or query.",
    );
  }
  return credentials.body(() => {
    if (key === undefined || scope === null) {
      throw new Error("Signature Version 2 has no signer of chunks.");
    }
    return createChunkSigner(key, scope, signature);
  });
}

const SIGNED_QUERY = /[?&](?:X-Amz-(?:Algorithm|Credential|Signature)|AWSAccessKeyId)=/;

/** Whether a request has credentials in its headers or query, valid or not. */
export function isSigned({ url, headers }: Pick<Request, "url" | "headers">): boolean {
  if (isS3Authorization(headers.get("authorization"))) return true;
  // Every request for a hosted file comes here, and few have a query.
  return url.includes("?") && SIGNED_QUERY.test(url);
}

/** Whether the query, without its question mark, is that of a presigned URL. */
export const isPresigned = (query: string): boolean => SIGNED_QUERY.test(`?${query}`);

/** Also those of other versions, which are refused. */
export const isS3Authorization = (authorization: string | null): boolean =>
  authorization !== null && /^AWS(?:4-\S+)?(?: |$)/.test(authorization);

/** Whether the body may be a form with a policy. */
export const isPostForm = ({ method, headers }: Pick<Request, "method" | "headers">): boolean =>
  method === "POST" && /^multipart\/form-data\b/i.test(headers.get("content-type") ?? "");
