import { describe, expect, test } from "bun:test";
import { AwsV4Signer } from "aws4fetch";
import fc from "fast-check";
import { type S3ErrorCode, S3Fault } from "../../domain/faults/s3-fault.ts";
import { formCredentials } from "./form-credentials.ts";
import { readCredentials } from "./read-credentials.ts";
import { headOf, type RequestHead } from "./request-head.ts";
import { createSigningSecret } from "./s3-secret.ts";
import { sha256Hex } from "./signing.ts";
import { verifySignature } from "./verify-signature.ts";

// The examples of AWS's documentation: "Signature Calculations for the Authorization Header",
// "Authenticating Requests: Using Query Parameters", "POST", and both for chunks.
const SECRET = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
const CREDENTIAL = "AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request";
const EMPTY = sha256Hex("");
const DATE = "20130524T000000Z";
const NOW = Date.UTC(2013, 4, 24);

interface Example {
  readonly method: string;
  readonly path: string;
  readonly query?: string;
  readonly host?: string;
  readonly payload: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signature: string;
}

function headerExample(example: Example): RequestHead {
  const { method, path, query = "", host = "examplebucket.s3.amazonaws.com", payload } = example;
  const headers = new Headers({
    Host: host,
    "x-amz-content-sha256": payload,
    "x-amz-date": DATE,
    ...example.headers,
  });
  const signed = [...headers.keys()].sort();
  headers.set(
    "Authorization",
    `AWS4-HMAC-SHA256 Credential=${CREDENTIAL},SignedHeaders=${signed.join(";")},Signature=${example.signature}`,
  );
  return { method, path, query, headers };
}

const EXAMPLES: Readonly<Record<string, Example>> = {
  "GET an object": {
    method: "GET",
    path: "/test.txt",
    headers: { Range: "bytes=0-9" },
    payload: EMPTY,
    signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
  },
  "PUT an object": {
    method: "PUT",
    path: "/test$file.text",
    headers: {
      Date: "Fri, 24 May 2013 00:00:00 GMT",
      "x-amz-storage-class": "REDUCED_REDUNDANCY",
    },
    payload: "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072",
    signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
  },
  "GET a subresource": {
    method: "GET",
    path: "/",
    query: "lifecycle",
    payload: EMPTY,
    signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
  },
  "list objects": {
    method: "GET",
    path: "/",
    query: "max-keys=2&prefix=J",
    payload: EMPTY,
    signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
  },
  "PUT chunks": {
    method: "PUT",
    path: "/examplebucket/chunkObject.txt",
    host: "s3.amazonaws.com",
    headers: {
      "Content-Encoding": "aws-chunked",
      "x-amz-decoded-content-length": "66560",
      "x-amz-storage-class": "REDUCED_REDUNDANCY",
      "Content-Length": "66824",
    },
    payload: "STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
    signature: "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9",
  },
  "PUT chunks with a trailer": {
    method: "PUT",
    path: "/examplebucket/chunkObject.txt",
    host: "s3.amazonaws.com",
    headers: {
      "Content-Encoding": "aws-chunked",
      "x-amz-decoded-content-length": "66560",
      "x-amz-storage-class": "REDUCED_REDUNDANCY",
      "x-amz-trailer": "x-amz-checksum-crc32c",
    },
    payload: "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER",
    signature: "106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e",
  },
};

function verify(head: RequestHead, now = NOW) {
  const credentials = readCredentials(head);
  if (credentials === undefined) return undefined;
  const body = verifySignature(credentials, createSigningSecret(SECRET), now);
  return { kind: credentials.kind, accessKeyId: credentials.accessKeyId, body };
}

function codeOf(run: () => unknown): S3ErrorCode | undefined {
  try {
    run();
  } catch (error) {
    if (error instanceof S3Fault) return error.s3Code;
    throw error;
  }
  return undefined;
}

describe("an Authorization header", () => {
  test.each(Object.entries(EXAMPLES))("accepts AWS's example: %s", (_, example) => {
    const verified = verify(headerExample(example));
    expect(verified?.kind).toBe("header");
    expect(verified?.accessKeyId).toBe("AKIAIOSFODNN7EXAMPLE");
  });

  test.each(Object.entries(EXAMPLES))("rejects every change of: %s", (_, example) => {
    const head = headerExample(example);
    const changes: Partial<RequestHead>[] = [
      { method: "DELETE" },
      { path: `${head.path}x` },
      { query: `${head.query}&x=1` },
      ...[...head.headers.keys()].flatMap((name) => {
        const headers = new Headers(head.headers);
        if (name === "authorization" || name === "content-length" || name === "x-amz-date")
          return [];
        const isHash = name === "x-amz-content-sha256";
        headers.set(name, isHash ? sha256Hex("other") : `${headers.get(name)}x`);
        return [{ headers }];
      }),
    ];
    for (const change of changes) {
      expect(codeOf(() => verify({ ...head, ...change }))).toBe("SignatureDoesNotMatch");
    }
  });

  const example = headerExample(EXAMPLES["GET an object"] as Example);
  const withHeader = (name: string, value: string | null): RequestHead => {
    const headers = new Headers(example.headers);
    if (value === null) headers.delete(name);
    else headers.set(name, value);
    return { ...example, headers };
  };
  const authorization = example.headers.get("authorization") ?? "";

  test("is valid for 15 minutes before and after its time", () => {
    for (const minutes of [-15, 15]) expect(verify(example, NOW + minutes * 60_000)).toBeDefined();
    for (const ms of [-15 * 60_000 - 1, 15 * 60_000 + 1]) {
      expect(codeOf(() => verify(example, NOW + ms))).toBe("RequestTimeTooSkewed");
    }
  });

  test.each([
    ["AWS AKIAIOSFODNN7EXAMPLE:frJIUN8DYpKDtOLCwo//yllqDzg=", "SignatureDoesNotMatch"],
    ["AWS4-ECDSA-P256-SHA256 Credential=x", "InvalidRequest"],
    ["AWS4-HMAC-SHA256", "InvalidRequest"],
    ["AWS4-HMAC-SHA256 ", "InvalidRequest"],
    ["AWS4-HMAC-SHA256 Credential=a/b/c", "AuthorizationHeaderMalformed"],
    [authorization.replace("host;", ""), "AuthorizationHeaderMalformed"],
    [authorization.replace("/s3/", "/sts/"), "AuthorizationHeaderMalformed"],
    [authorization.replace("/20130524/", "/20130525/"), "AuthorizationHeaderMalformed"],
    [`${authorization}, Signature=${"0".repeat(64)}`, "AuthorizationHeaderMalformed"],
    [`${authorization}, Region=x`, "AuthorizationHeaderMalformed"],
    [authorization.slice(0, -1), "AuthorizationHeaderMalformed"],
    [authorization.replace(/Signature=.*/, ""), "AuthorizationHeaderMalformed"],
    [authorization.replace(/.$/, (digit) => (digit === "0" ? "1" : "0")), "SignatureDoesNotMatch"],
  ] as const)("%s is refused", (value, code) => {
    expect(codeOf(() => verify(withHeader("authorization", value)))).toBe(code);
  });

  test.each([
    ["x-amz-content-sha256", null, "InvalidRequest"],
    ["x-amz-date", null, "AccessDenied"],
    ["x-amz-date", "20130524T000000", "AccessDenied"],
    ["x-amz-date", "20130524T250000Z", "AccessDenied"],
    ["x-amz-date", "20130523T235959Z", "AuthorizationHeaderMalformed"],
    ["x-amz-security-token", "x", "InvalidToken"],
    ["x-amz-acl", "public-read", "AccessDenied"],
    ["x-amz-copy-source", "/b/secret", "AccessDenied"],
  ] as const)("with %s: %p is refused", (name, value, code) => {
    expect(codeOf(() => verify(withHeader(name, value)))).toBe(code);
  });

  test("counts for the host of the public URL too", () => {
    const proxied = { ...withHeader("host", "127.0.0.1:3000") };
    expect(codeOf(() => verify(proxied))).toBe("SignatureDoesNotMatch");
    expect(verify({ ...proxied, publicHost: "examplebucket.s3.amazonaws.com" })).toBeDefined();
  });

  test("together with a presigned query is refused", () => {
    const both = { ...example, query: "X-Amz-Signature=x" };
    expect(codeOf(() => verify(both))).toBe("InvalidArgument");
  });

  test("any other scheme has no credentials", () => {
    for (const value of ["Bearer AWS4", "Basic QVdT", "AWS4", ""]) {
      expect(readCredentials(withHeader("authorization", value))).toBeUndefined();
    }
  });
});

describe("a presigned URL", () => {
  const parameters = {
    "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
    "X-Amz-Credential": CREDENTIAL,
    "X-Amz-Date": DATE,
    "X-Amz-Expires": "86400",
    "X-Amz-SignedHeaders": "host",
    "X-Amz-Signature": "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404",
  };
  const presigned = (changes: Readonly<Record<string, string | undefined>> = {}): RequestHead => {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...parameters, ...changes })) {
      if (value !== undefined) query.append(name, value);
    }
    const headers = new Headers({ Host: "examplebucket.s3.amazonaws.com" });
    return { method: "GET", path: "/test.txt", query: query.toString(), headers };
  };

  test("accepts AWS's example", () => {
    expect(verify(presigned())?.kind).toBe("query");
    expect(verify(presigned(), NOW + 86_400_000 - 1)?.body).toEqual({
      kind: "plain",
      sha256: undefined,
    });
  });

  test("expires, and is not valid before its time", () => {
    expect(codeOf(() => verify(presigned(), NOW + 86_400_000))).toBe("AccessDenied");
    expect(codeOf(() => verify(presigned(), NOW - 15 * 60_000 - 1))).toBe("AccessDenied");
  });

  test.each([
    [{ "X-Amz-Expires": undefined }, "AuthorizationQueryParametersError"],
    [{ "X-Amz-Expires": "0" }, "AccessDenied"],
    [{ "X-Amz-Expires": "-7" }, "AccessDenied"],
    [{ "X-Amz-Expires": "604801" }, "AccessDenied"],
    [{ "X-Amz-Expires": "604800" }, "SignatureDoesNotMatch"],
    [{ "X-Amz-Algorithm": undefined }, "AuthorizationQueryParametersError"],
    [{ "X-Amz-Algorithm": "none" }, "InvalidRequest"],
    [{ "X-Amz-Signature": undefined }, "AuthorizationQueryParametersError"],
    [{ "X-Amz-Signature": "" }, "AuthorizationQueryParametersError"],
    [{ "X-Amz-Credential": undefined }, "AuthorizationQueryParametersError"],
    [{ "X-Amz-SignedHeaders": "range" }, "AuthorizationQueryParametersError"],
    [{ "X-Amz-Date": "20130525T000000Z" }, "AuthorizationQueryParametersError"],
    [{ "X-Amz-Security-Token": "x" }, "InvalidToken"],
    [{ "response-content-type": "text/html" }, "SignatureDoesNotMatch"],
    [{ "X-Amz-Content-Sha256": EMPTY }, "SignatureDoesNotMatch"],
  ] as const)("with %p is refused", (changes, code) => {
    expect(codeOf(() => verify(presigned(changes)))).toBe(code);
  });

  test("with a repeated parameter is refused", () => {
    const head = presigned();
    for (const name of Object.keys(parameters)) {
      const query = `${head.query}&${name}=x`;
      expect(codeOf(() => verify({ ...head, query }))).toBe("AuthorizationQueryParametersError");
    }
  });

  test("does not let its user add headers that change the request", () => {
    const head = presigned();
    head.headers.set("x-amz-acl", "public-read");
    expect(codeOf(() => verify(head))).toBe("AccessDenied");
  });

  test("of version 2 is refused if it is turned off, or malformed", () => {
    const query = "AWSAccessKeyId=AKIAIOSFODNN7EXAMPLE&Expires=1&Signature=x";
    const head = { ...presigned(), query };
    expect(codeOf(() => readCredentials(head, { acceptsV2: false }))).toBe("InvalidRequest");
    expect(codeOf(() => verify(head))).toBe("AccessDenied");
  });
});

describe("Signature Version 2", () => {
  const date = "Tue, 27 Mar 2007 19:36:42 +0000";
  const then = Date.parse(date);
  const example = (changes: Partial<RequestHead> = {}): RequestHead => ({
    method: "GET",
    path: "/photos/puppy.jpg",
    query: "",
    hostBucket: "awsexamplebucket1",
    headers: new Headers({
      date,
      authorization: "AWS AKIAIOSFODNN7EXAMPLE:qgk2+6Sv9/oM7G3qLEjTH1a1l1g=",
    }),
    ...changes,
  });

  test("accepts AWS's example of a header", () => {
    expect(verify(example(), then)?.kind).toBe("header");
    const pathStyle = { hostBucket: undefined, path: "/awsexamplebucket1/photos/puppy.jpg" };
    expect(verify(example(pathStyle), then)?.kind).toBe("header");
    expect(codeOf(() => verify(example({ hostBucket: "other" }), then))).toBe(
      "SignatureDoesNotMatch",
    );
  });

  test("accepts AWS's example of a query until it expires", () => {
    const head = example({
      hostBucket: "johnsmith",
      headers: new Headers(),
      query:
        "AWSAccessKeyId=AKIAIOSFODNN7EXAMPLE&Signature=NpgCjnDzrM%2BWFzoENXmpNDUsSn8%3D&Expires=1175139620",
    });
    expect(verify(head, 1_175_139_619_999)?.kind).toBe("query");
    expect(codeOf(() => verify(head, 1_175_139_620_000))).toBe("AccessDenied");
  });
});

describe("a form", () => {
  const policy =
    "eyAiZXhwaXJhdGlvbiI6ICIyMDE1LTEyLTMwVDEyOjAwOjAwLjAwMFoiLA0KICAiY29uZGl0aW9ucyI6IFsNCiAgICB7ImJ1Y2tldCI6ICJzaWd2NGV4YW1wbGVidWNrZXQifSwNCiAgICBbInN0YXJ0cy13aXRoIiwgIiRrZXkiLCAidXNlci91c2VyMS8iXSwNCiAgICB7ImFjbCI6ICJwdWJsaWMtcmVhZCJ9LA0KICAgIHsic3VjY2Vzc19hY3Rpb25fcmVkaXJlY3QiOiAiaHR0cDovL3NpZ3Y0ZXhhbXBsZWJ1Y2tldC5zMy5hbWF6b25hd3MuY29tL3N1Y2Nlc3NmdWxfdXBsb2FkLmh0bWwifSwNCiAgICBbInN0YXJ0cy13aXRoIiwgIiRDb250ZW50LVR5cGUiLCAiaW1hZ2UvIl0sDQogICAgeyJ4LWFtei1tZXRhLXV1aWQiOiAiMTQzNjUxMjM2NTEyNzQifSwNCiAgICB7IngtYW16LXNlcnZlci1zaWRlLWVuY3J5cHRpb24iOiAiQUVTMjU2In0sDQogICAgWyJzdGFydHMtd2l0aCIsICIkeC1hbXotbWV0YS10YWciLCAiIl0sDQoNCiAgICB7IngtYW16LWNyZWRlbnRpYWwiOiAiQUtJQUlPU0ZPRE5ON0VYQU1QTEUvMjAxNTEyMjkvdXMtZWFzdC0xL3MzL2F3czRfcmVxdWVzdCJ9LA0KICAgIHsieC1hbXotYWxnb3JpdGhtIjogIkFXUzQtSE1BQy1TSEEyNTYifSwNCiAgICB7IngtYW16LWRhdGUiOiAiMjAxNTEyMjlUMDAwMDAwWiIgfQ0KICBdDQp9";
  const fields = new Map([
    ["bucket", "sigv4examplebucket"],
    ["key", "user/user1/photo.png"],
    ["acl", "public-read"],
    [
      "success_action_redirect",
      "http://sigv4examplebucket.s3.amazonaws.com/successful_upload.html",
    ],
    ["content-type", "image/jpeg"],
    ["x-amz-meta-uuid", "14365123651274"],
    ["x-amz-server-side-encryption", "AES256"],
    ["x-amz-credential", "AKIAIOSFODNN7EXAMPLE/20151229/us-east-1/s3/aws4_request"],
    ["x-amz-algorithm", "AWS4-HMAC-SHA256"],
    ["x-amz-date", "20151229T000000Z"],
    ["x-amz-meta-tag", ""],
    ["policy", policy],
    ["x-amz-signature", "8afdbf4008c03f22c2cd3cdb72e4afbb1f6a588f3255ac628749a66d7f09699e"],
  ]);
  const then = Date.UTC(2015, 11, 29);
  const verifyForm = (changes: Readonly<Record<string, string | undefined>> = {}, now = then) => {
    const changed = new Map(fields);
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined) changed.delete(name);
      else changed.set(name, value);
    }
    const found = formCredentials(changed);
    if (found === undefined) return undefined;
    return verifySignature(found.credentials, createSigningSecret(SECRET), now);
  };

  test("accepts AWS's example", () => {
    expect(verifyForm()).toEqual({ kind: "plain", sha256: undefined });
    expect(verifyForm({ "x-ignore-this": "1" })).toBeDefined();
  });

  test("without policy, credential and signature has no credentials", () => {
    expect(formCredentials(new Map([["key", "a"]]))).toBeUndefined();
  });

  test.each([
    [{ policy: undefined }, "InvalidArgument"],
    [{ "x-amz-signature": undefined }, "InvalidArgument"],
    [{ "x-amz-signature": "0".repeat(64) }, "SignatureDoesNotMatch"],
    [{ "x-amz-signature": "" }, "InvalidArgument"],
    [{ "x-amz-algorithm": "AWS4" }, "InvalidRequest"],
    [{ "x-amz-date": "20151230T000000Z" }, "InvalidArgument"],
    [{ awsaccesskeyid: "AKIAIOSFODNN7EXAMPLE" }, "InvalidRequest"],
    [
      { policy: btoa('{"expiration":"2030-01-01T00:00:00Z","conditions":[]}') },
      "SignatureDoesNotMatch",
    ],
    [{ policy: "e30=" }, "InvalidPolicyDocument"],
    [{ key: "user/user2/photo.png" }, "AccessDenied"],
    [{ acl: "private" }, "AccessDenied"],
    [{ bucket: "other" }, "AccessDenied"],
    [{ "content-type": "text/html" }, "AccessDenied"],
    [{ "x-amz-meta-other": "1" }, "AccessDenied"],
  ] as const)("with %p is refused", (changes, code) => {
    expect(codeOf(() => verifyForm(changes))).toBe(code);
  });

  test("is refused when its policy has expired", () => {
    const end = Date.UTC(2015, 11, 30, 12);
    expect(verifyForm({}, end - 1)).toBeDefined();
    expect(codeOf(() => verifyForm({}, end))).toBe("AccessDenied");
  });
});

describe("the signature of another implementation", () => {
  const segment = fc
    .string({ unit: "grapheme", minLength: 1 })
    .filter((text) => !/^\.+$/.test(text));
  // The signer leaves out a parameter with the name of an earlier one.
  const pairs = fc.uniqueArray(fc.tuple(segment, fc.string({ unit: "grapheme" })), {
    maxLength: 4,
    selector: ([name]) => name,
  });

  test("matches for any path and query", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(segment, { maxLength: 4 }),
        pairs,
        fc.boolean(),
        async (segments, query, signQuery) => {
          const path = segments.map(encodeURIComponent).join("/");
          const signed = await new AwsV4Signer({
            method: "GET",
            accessKeyId: "a",
            secretAccessKey: SECRET,
            service: "s3",
            region: "auto",
            datetime: DATE,
            signQuery,
            url: `https://example.com:9000/${path}?${new URLSearchParams(query)}`,
          }).sign();
          const headers = new Headers(signed.headers);
          headers.set("host", signed.url.host);
          const head = headOf(new Request(signed.url, { headers }));
          expect(verify(head)?.kind).toBe(signQuery ? "query" : "header");
        },
      ),
    );
  });
});
