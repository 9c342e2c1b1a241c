import type { Millis } from "../../domain/records.ts";
import { UNSIGNED_PAYLOAD } from "../../semantics/s3-signature/body-format.ts";
import { formatTimestamp } from "../../semantics/s3-signature/credential.ts";
import {
  ALGORITHM,
  type CredentialScope,
  scopeText,
  signingKey,
  signText,
  stringToSign,
} from "../../semantics/s3-signature/signing.ts";
import { uriEncode } from "../../semantics/s3-signature/uri-encode.ts";
import { bucketUrl, keyPath, type S3Settings } from "./s3-settings.ts";

type Fields = Readonly<Record<string, string>>;

/** What a request is for. Without a key: the bucket. */
export interface Target {
  readonly method: string;
  readonly key?: string | undefined;
  readonly query?: Fields | undefined;
}

/** Signs requests to one bucket (AWS Signature Version 4). */
export interface RequestSigner {
  /** The URL and the headers, those given included, of which all are signed. */
  sign(target: Target, headers?: Fields): { readonly url: string; readonly headers: Fields };
  /** A URL with which anyone can send the request until `seconds` have passed. */
  presign(target: Target, seconds: number): string;
}

const PAYLOAD_HASH = "x-amz-content-sha256";

/** `now`: for tests. */
export function createRequestSigner(
  settings: S3Settings,
  now: () => Millis = Date.now,
): RequestSigner {
  const { accessKeyId, secretAccessKey, region } = settings;
  const { origin, host, pathname } = new URL(bucketUrl(settings));
  const root = pathname.replace(/\/$/, "");
  /** The signing key of the day of the latest request. */
  let key: { readonly date: string; readonly bytes: Buffer } | undefined;

  function scopeNow(): CredentialScope {
    const timestamp = formatTimestamp(now());
    return { date: timestamp.slice(0, 8), region, timestamp };
  }

  function keyFor(scope: CredentialScope): Buffer {
    const { date } = scope;
    if (key?.date !== date) key = { date, bytes: signingKey(secretAccessKey, scope) };
    return key.bytes;
  }

  const pathOf = ({ key: name }: Target): string =>
    `${root}/${name === undefined ? "" : keyPath(name)}`;

  function signatureOf(
    target: Target,
    { scope, query, headers }: { scope: CredentialScope; query: string; headers: Fields },
  ): string {
    const names = Object.keys(headers).sort();
    const request = [
      target.method,
      pathOf(target),
      query,
      ...names.map((name) => `${name}:${headers[name]?.trim().replace(/\s+/g, " ")}`),
      "",
      names.join(";"),
      headers[PAYLOAD_HASH] ?? UNSIGNED_PAYLOAD,
    ];
    return signText(keyFor(scope), stringToSign(scope, request.join("\n")));
  }

  return {
    sign(target, given = {}) {
      const scope = scopeNow();
      const query = canonicalQueryOf(target.query ?? {});
      const headers: Record<string, string> = {
        host,
        [PAYLOAD_HASH]: UNSIGNED_PAYLOAD,
        "x-amz-date": scope.timestamp,
      };
      for (const [name, value] of Object.entries(given)) headers[name.toLowerCase()] = value;
      const signature = signatureOf(target, { scope, query, headers });
      const { host: _, ...sent } = headers;
      const credential = `Credential=${accessKeyId}/${scopeText(scope)}`;
      const names = Object.keys(headers).sort().join(";");
      return {
        url: `${origin}${pathOf(target)}${query === "" ? "" : `?${query}`}`,
        headers: {
          ...sent,
          authorization: `${ALGORITHM} ${credential}, SignedHeaders=${names}, Signature=${signature}`,
        },
      };
    },

    presign(target, seconds) {
      const scope = scopeNow();
      const query = canonicalQueryOf({
        ...target.query,
        "X-Amz-Algorithm": ALGORITHM,
        "X-Amz-Credential": `${accessKeyId}/${scopeText(scope)}`,
        "X-Amz-Date": scope.timestamp,
        "X-Amz-Expires": String(seconds),
        "X-Amz-SignedHeaders": "host",
      });
      const signature = signatureOf(target, { scope, query, headers: { host } });
      return `${origin}${pathOf(target)}?${query}&X-Amz-Signature=${signature}`;
    },
  };
}

/** Sorted and encoded as the signature requires, which servers read like any other form. */
function canonicalQueryOf(query: Fields): string {
  const parameters = Object.entries(query).map(([name, value]) => [
    uriEncode(name),
    uriEncode(value),
  ]);
  parameters.sort(([name = ""], [other = ""]) => (name < other ? -1 : 1));
  return parameters.map((parameter) => parameter.join("=")).join("&");
}
