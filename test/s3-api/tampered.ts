import { type Draft, sha256, timestampOf } from "./sign-request.ts";

/** Changes to a signed request, each of which must make it fail. undefined: there is nothing to change. */
export type Tamper = (draft: Draft) => Draft | undefined;

/** Other things that exist on the server. */
export interface Others {
  /** The path of another private object. */
  readonly path: string;
  /** Access key ids of other keys, which exist. */
  readonly accessKeyIds: readonly string[];
}

const MINUTE = 60_000;

const withHeader =
  (name: string, change: (value: string) => string | undefined): Tamper =>
  (draft) => {
    const value = draft.headers[name];
    const changed = value === undefined ? undefined : change(value);
    if (changed === undefined || changed === value) return undefined;
    return { ...draft, headers: { ...draft.headers, [name]: changed } };
  };

const withoutHeader =
  (name: string): Tamper =>
  (draft) => {
    const { [name]: removed, ...headers } = draft.headers;
    return removed === undefined ? undefined : { ...draft, headers };
  };

const addHeader =
  (name: string, value: string): Tamper =>
  (draft) =>
    draft.headers[name] === value
      ? undefined
      : { ...draft, headers: { ...draft.headers, [name]: value } };

/** A change of the signature's text, in the header or in the query. */
const withCredentials =
  (pattern: RegExp, replacement: string | ((match: string) => string)): Tamper =>
  (draft) => {
    const change = (text: string): string =>
      typeof replacement === "string"
        ? text.replace(pattern, replacement)
        : text.replace(pattern, replacement);
    const { authorization } = draft.headers;
    if (authorization !== undefined) return withHeader("authorization", change)(draft);
    if (!draft.query.includes("X-Amz-Signature")) return undefined;
    const query = change(decodeURIComponent(draft.query).replaceAll("X-Amz-", ""));
    const restored = query
      .split("&")
      .map((each) => {
        const [name = "", value] = each.split(/=(.*)/s);
        const isCredential = /^(Algorithm|Credential|Date|Expires|SignedHeaders|Signature)$/.test(
          name,
        );
        const parameter = `${isCredential ? "X-Amz-" : ""}${name}`;
        return value === undefined ? parameter : `${parameter}=${encodeURIComponent(value)}`;
      })
      .join("&");
    return restored === draft.query ? undefined : { ...draft, query: restored };
  };

const addQuery =
  (parameter: string): Tamper =>
  (draft) => ({ ...draft, query: draft.query === "" ? parameter : `${draft.query}&${parameter}` });

const withBody =
  (change: (body: Buffer) => Buffer | undefined): Tamper =>
  (draft) => {
    const body = change(draft.body);
    return body === undefined || body.equals(draft.body) ? undefined : { ...draft, body };
  };

const inBody =
  (pattern: RegExp, replacement: string): Tamper =>
  (draft) =>
    draft.headers["content-encoding"] === "aws-chunked"
      ? withBody((body) =>
          Buffer.from(body.toString("latin1").replace(pattern, replacement), "latin1"),
        )(draft)
      : undefined;

const flip = (digit: string): string => (digit === "0" ? "1" : "0");

const isSigned = ({ headers }: Draft): boolean =>
  headers["x-amz-content-sha256"] !== undefined &&
  headers["x-amz-content-sha256"] !== "UNSIGNED-PAYLOAD";

/** By what they change. */
export function tampers(others: Others): Readonly<Record<string, Tamper>> {
  const all = Object.entries(allTampers(others)).map(([name, tamper]) => {
    const changing: Tamper = (draft) => {
      const changed = tamper(draft);
      return Bun.deepEquals(changed, draft) ? undefined : changed;
    };
    return [name, changing] as const;
  });
  return Object.fromEntries(all);
}

function allTampers({ path, accessKeyIds }: Others): Readonly<Record<string, Tamper>> {
  const unknownKeyIds = [
    "",
    "0".repeat(32),
    "AKIAIOSFODNN7EXAMPLE",
    "../../etc/passwd",
    "a".repeat(500),
  ];
  return {
    "first digit of the signature": withCredentials(/Signature=./, (text) =>
      text.replace(/.$/, flip),
    ),
    "last digit of the signature": withCredentials(/(?<=Signature=\w{63})./, flip),
    "empty signature": withCredentials(/Signature=\w+/, "Signature="),
    "shorter signature": withCredentials(/(?<=Signature=\w{62})\w\w/, ""),
    "longer signature": withCredentials(/Signature=\w+/, "$&00"),
    "signature of zeros": withCredentials(/Signature=\w+/, `Signature=${"0".repeat(64)}`),
    "signature in capitals": withCredentials(/(?<=Signature=)\w+/, (text) => text.toUpperCase()),
    "no signature": withCredentials(/[,&]\s*Signature=\w+/, ""),
    "signature twice": withCredentials(/([,&]\s*)Signature=(\w+)/, "$&$1Signature=$2"),
    ...Object.fromEntries(
      [...unknownKeyIds, ...accessKeyIds].map((id) => [
        `access key id ${id.slice(0, 40)}`,
        withCredentials(/(?<=Credential=)[^/]+/, id),
      ]),
    ),
    "day of the credential": withCredentials(/(?<=Credential=\w+\/)\d{8}/, "20200101"),
    "region of the credential": withCredentials(/us-east-1/, "eu-west-1"),
    "service of the credential": withCredentials(/\/s3\//, "/sts/"),
    "end of the credential": withCredentials(/aws4_request/, "aws5_request"),
    "no credential": withCredentials(/Credential=[^,&]+[,&]\s*/, ""),
    "no signed host": withCredentials(/(?<=SignedHeaders=[\w;-]*)host;?/, ""),
    "no signed headers": withCredentials(/SignedHeaders=[^,&]*[,&]\s*/, ""),
    "one more signed header": withCredentials(/(?<=SignedHeaders=[\w;-]*)host/, "host;user-agent"),
    "algorithm none": withCredentials(/AWS4-HMAC-SHA256/, "none"),
    "algorithm of version 4A": withCredentials(/AWS4-HMAC-SHA256/, "AWS4-ECDSA-P256-SHA256"),
    "algorithm with SHA-1": withCredentials(/AWS4-HMAC-SHA256/, "AWS4-HMAC-SHA1"),
    "version 2": withHeader("authorization", () => `AWS ${accessKeyIds[0]}:c2lnbmF0dXJl`),
    "no Authorization": withoutHeader("authorization"),
    "another scheme": withHeader("authorization", (text) => `Bearer ${text}`),
    "an empty Authorization": withHeader("authorization", () => "AWS4-HMAC-SHA256"),
    "later time": withHeader("x-amz-date", () => timestampOf(new Date(Date.now() + MINUTE))),
    "no time": withoutHeader("x-amz-date"),
    "later expiry": withCredentials(/Expires=\d+/, "Expires=604800"),
    "no expiry": withCredentials(/&Expires=\d+/, ""),
    "expiry beyond a week": withCredentials(/Expires=\d+/, "Expires=604801"),
    "negative expiry": withCredentials(/Expires=\d+/, "Expires=-1"),
    "expiry twice": withCredentials(/Expires=\d+/, "$&&X-Amz-Expires=604800"),
    "later date in the query": withCredentials(/(?<=&Date=\w{13})../, (seconds) =>
      seconds === "00" ? "01" : "00",
    ),
    "method DELETE": (draft) => ({ ...draft, method: "DELETE" }),
    "method PUT": (draft) => (draft.method === "GET" ? { ...draft, method: "PUT" } : undefined),
    "method POST": (draft) => (draft.method === "POST" ? undefined : { ...draft, method: "POST" }),
    "another object": (draft) => ({ ...draft, path }),
    "another object, by dot segments": (draft) => ({
      ...draft,
      path: `${draft.path}/../..${path}`,
    }),
    "another object, encoded": (draft) => ({
      ...draft,
      path: path.replace(/.$/, (end) => `%${end.charCodeAt(0).toString(16)}`),
    }),
    "another object, behind a backslash": (draft) => ({
      ...draft,
      path: `${draft.path}\\..\\..${path}`,
    }),
    "the bucket": (draft) => ({ ...draft, path: draft.path.replace(/(?<=.)\/.*/, "") }),
    "all buckets": (draft) => ({ ...draft, path: "/" }),
    "a parameter more": addQuery("versionId=null"),
    "the subresource acl": addQuery("acl"),
    "the subresource uploads": addQuery("uploads="),
    "an overridden header": addQuery("response-content-type=text/html"),
    "another host": withHeader("host", () => "files.example.com"),
    "another content type": withHeader("content-type", () => "text/html"),
    "an ACL": addHeader("x-amz-acl", "public-read"),
    "an ACL in the query": addQuery("x-amz-acl=public-read"),
    "a copy source": addHeader("x-amz-copy-source", path),
    metadata: addHeader("x-amz-meta-added", "1"),
    "a session token": addHeader("x-amz-security-token", "token"),
    "a hash of something else": withHeader("x-amz-content-sha256", () => sha256("other")),
    "a body that is not signed": withHeader("x-amz-content-sha256", () => "UNSIGNED-PAYLOAD"),
    "chunks that are not signed": withHeader(
      "x-amz-content-sha256",
      () => "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
    ),
    "an unknown kind of body": withHeader("x-amz-content-sha256", () => "STREAMING-NOTHING"),
    "no kind of body": withoutHeader("x-amz-content-sha256"),
    "a presigned query besides": (draft) =>
      draft.headers.authorization === undefined ? undefined : addQuery("X-Amz-Signature=x")(draft),
    "an Authorization besides": (draft) =>
      draft.query.includes("X-Amz-Signature")
        ? addHeader("authorization", "AWS4-HMAC-SHA256 Credential=x")(draft)
        : undefined,
    "first byte of the body": (draft) =>
      isSigned(draft)
        ? withBody((body) => {
            const changed = Buffer.from(body);
            changed[0] = (changed[0] ?? 0) ^ 1;
            return body.length === 0 ? undefined : changed;
          })(draft)
        : undefined,
    "bytes after the body": (draft) =>
      isSigned(draft)
        ? withBody((body) =>
            body.length === 0 ? undefined : Buffer.concat([body, Buffer.from("x")]),
          )(draft)
        : undefined,
    "no end of the body": (draft) =>
      isSigned(draft)
        ? withBody((body) => (body.length === 0 ? undefined : body.subarray(0, -3)))(draft)
        : undefined,
    "content of a chunk": inBody(/(?<=\r\n)./, "X"),
    "signature of a chunk": inBody(/(?<=chunk-signature=\w{63})\w/, "g"),
    "no signature of a chunk": inBody(/;chunk-signature=\w+/, ""),
    "no signatures of chunks": inBody(/;chunk-signature=\w+/g, ""),
    "size of a chunk": inBody(/^5/, "4"),
    "no last chunk": inBody(/\r\n0[;\r][\s\S]*$/, "\r\n"),
    "a chunk less": inBody(/^5[\s\S]*?\r\n.{5}\r\n/, ""),
    "checksum in the trailer": inBody(/(?<=x-amz-checksum-crc32:)./, "?"),
    "no checksum in the trailer": inBody(/x-amz-checksum-crc32:.*\r\n/, ""),
    "another trailer": inBody(/x-amz-checksum-crc32:/, "x-amz-acl:public-read\r\n$&"),
    "signature of the trailers": inBody(/(?<=x-amz-trailer-signature:\w{63})\w/, "g"),
    "no signature of the trailers": inBody(/x-amz-trailer-signature:.*\r\n/, ""),
    "less content than announced": withHeader("x-amz-decoded-content-length", () => "1"),
  };
}
