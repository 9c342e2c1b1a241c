import { createHash, createHmac } from "node:crypto";

/* Signature Version 4 once more, independent of the server's, for requests that are then changed. */

export interface Draft {
  readonly method: string;
  /** As it is sent. */
  readonly path: string;
  /** Percent-encoded, without the question mark. */
  readonly query: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface Signing {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly date?: Date;
  readonly region?: string;
}

export const sha256 = (data: string | Uint8Array): string =>
  createHash("sha256").update(data).digest("hex");

const hmac = (key: string | Buffer, text: string): Buffer =>
  createHmac("sha256", key).update(text).digest();

export const timestampOf = (date: Date): string => date.toISOString().replace(/[-:]|\.\d+/g, "");

interface Scope {
  readonly timestamp: string;
  /** `YYYYMMDD/REGION/s3/aws4_request` */
  readonly scope: string;
  readonly key: Buffer;
}

function scopeOf({ secretAccessKey, date = new Date(), region = "us-east-1" }: Signing): Scope {
  const timestamp = timestampOf(date);
  const day = timestamp.slice(0, 8);
  const key = [day, region, "s3", "aws4_request"].reduce<Buffer | string>(
    (secret, part) => hmac(secret, part),
    `AWS4${secretAccessKey}`,
  );
  return { timestamp, scope: `${day}/${region}/s3/aws4_request`, key: Buffer.from(key) };
}

function signatureOf(
  { method, path, query, headers }: Draft,
  signed: readonly string[],
  payload: string,
  { timestamp, scope, key }: Scope,
): string {
  const request = [
    ...[method, path, query.split("&").filter(Boolean).sort().join("&")],
    ...signed.map((name) => `${name}:${headers[name] ?? ""}`),
    ...["", signed.join(";"), payload],
  ].join("\n");
  const text = ["AWS4-HMAC-SHA256", timestamp, scope, sha256(request)].join("\n");
  return hmac(key, text).toString("hex");
}

/** With an Authorization header. `payload` is the value of x-amz-content-sha256; default: the hash. */
export function signHeader(draft: Draft, signing: Signing, payload = sha256(draft.body)): Draft {
  const scope = scopeOf(signing);
  const headers: Record<string, string> = {
    ...draft.headers,
    "x-amz-content-sha256": payload,
    "x-amz-date": scope.timestamp,
  };
  const signed = Object.keys(headers).sort();
  const signature = signatureOf({ ...draft, headers }, signed, payload, scope);
  headers.authorization = `AWS4-HMAC-SHA256 Credential=${signing.accessKeyId}/${scope.scope}, SignedHeaders=${signed.join(";")}, Signature=${signature}`;
  return { ...draft, headers };
}

export interface ChunkOptions {
  readonly isSigned: boolean;
  /** A trailer with its value; left out: none. */
  readonly trailer?: readonly [name: string, value: string];
}

/** Frames the body as aws-chunked, in chunks of five bytes, and signs the request. */
export function signChunks(
  draft: Draft,
  signing: Signing,
  { isSigned, trailer }: ChunkOptions,
): Draft {
  const kind = isSigned ? "AWS4-HMAC-SHA256" : "UNSIGNED";
  const payload = `STREAMING-${kind}-PAYLOAD${trailer === undefined ? "" : "-TRAILER"}`;
  const request = signHeader(
    {
      ...draft,
      headers: {
        ...draft.headers,
        "content-encoding": "aws-chunked",
        "x-amz-decoded-content-length": String(draft.body.length),
        ...(trailer === undefined ? {} : { "x-amz-trailer": trailer[0] }),
      },
    },
    signing,
    payload,
  );
  const { timestamp, scope, key } = scopeOf(signing);
  let previous = /Signature=(\w+)/.exec(request.headers.authorization ?? "")?.[1] ?? "";
  const next = (name: string, ...hashes: string[]): string => {
    const text = [`AWS4-HMAC-SHA256-${name}`, timestamp, scope, previous, ...hashes].join("\n");
    previous = hmac(key, text).toString("hex");
    return previous;
  };
  const parts: Uint8Array[] = [];
  for (let at = 0; at <= draft.body.length + 4; at += 5) {
    const chunk = draft.body.subarray(at, at + 5);
    const signature = isSigned
      ? `;chunk-signature=${next("PAYLOAD", sha256(""), sha256(chunk))}`
      : "";
    parts.push(Buffer.from(`${chunk.length.toString(16)}${signature}\r\n`), chunk);
    if (chunk.length === 0) break;
    parts.push(Buffer.from("\r\n"));
  }
  if (trailer !== undefined) parts.push(Buffer.from(`${trailer.join(":")}\r\n`));
  if (trailer !== undefined && isSigned) {
    const signature = next("TRAILER", sha256(`${trailer.join(":")}\n`));
    parts.push(Buffer.from(`x-amz-trailer-signature:${signature}\r\n`));
  }
  return { ...request, body: Buffer.concat([...parts, Buffer.from("\r\n")]) };
}

/** With the signature in the query. */
export function presign(draft: Draft, signing: Signing, expires = "60"): Draft {
  const scope = scopeOf(signing);
  const signed = Object.keys(draft.headers).sort();
  const parameters = {
    "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
    "X-Amz-Credential": `${signing.accessKeyId}/${scope.scope}`,
    "X-Amz-Date": scope.timestamp,
    "X-Amz-Expires": expires,
    "X-Amz-SignedHeaders": signed.join(";"),
  };
  const query = [
    ...draft.query.split("&").filter(Boolean),
    ...Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`),
  ].join("&");
  const signature = signatureOf({ ...draft, query }, signed, "UNSIGNED-PAYLOAD", scope);
  return { ...draft, query: `${query}&X-Amz-Signature=${signature}` };
}

export type Fields = readonly (readonly [name: string, value: string])[];

/** The fields of a form with this policy. `conditions` come before the signature's conditions. */
export function signForm(
  fields: Fields,
  conditions: readonly unknown[],
  signing: Signing,
  expiration = new Date(Date.now() + 60_000),
): Fields {
  const { timestamp, scope, key } = scopeOf(signing);
  const credentials = [
    ["x-amz-algorithm", "AWS4-HMAC-SHA256"],
    ["x-amz-credential", `${signing.accessKeyId}/${scope}`],
    ["x-amz-date", timestamp],
  ] as const;
  const policy = Buffer.from(
    JSON.stringify({
      expiration: expiration.toISOString(),
      conditions: [...conditions, ...credentials.map(([name, value]) => ({ [name]: value }))],
    }),
  ).toString("base64");
  const signature = hmac(key, policy).toString("hex");
  return [...fields, ...credentials, ["policy", policy], ["x-amz-signature", signature]];
}

const BOUNDARY = "form-boundary";

/** A POST of these fields and a file, to the bucket. */
export function formDraft(path: string, fields: Fields, file: string, host: string): Draft {
  const parts = fields.map(
    ([name, value]) =>
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const last = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="f.txt"\r\nContent-Type: text/plain\r\n\r\n${file}\r\n--${BOUNDARY}--\r\n`;
  return {
    method: "POST",
    path,
    query: "",
    body: Buffer.from(parts.join("") + last),
    headers: { host, "content-type": `multipart/form-data; boundary=${BOUNDARY}` },
  };
}

/** The bytes of a request. `more` are further headers, which may repeat a name. */
export function bytesOf({ method, path, query, headers, body }: Draft, more: Fields = []) {
  const target = query === "" ? path : `${path}?${query}`;
  const all: (readonly [string, string])[] = [...Object.entries(headers), ...more];
  if (!("content-length" in headers)) all.push(["content-length", String(body.length)]);
  const lines = all.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const head = `${method} ${target} HTTP/1.1\r\n${lines}connection: close\r\n\r\n`;
  return Buffer.concat([Buffer.from(head, "latin1"), body]);
}
