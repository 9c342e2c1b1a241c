import { expect, test } from "bun:test";
import { AwsV4Signer } from "aws4fetch";
import fc from "fast-check";
import { createRequestSigner } from "./request-signer.ts";
import type { S3Settings } from "./s3-settings.ts";

const settings: S3Settings = {
  endpoint: "https://s3.example.com:8443",
  bucket: "files",
  region: "eu-central-1",
  accessKeyId: "KEY-ID",
  secretAccessKey: "secret/with+characters",
  forcePathStyle: true,
  timeout: 1000,
};
const { accessKeyId, secretAccessKey, region } = settings;
const NOW = Date.UTC(2026, 10, 26, 1, 2, 3);
const keys = { accessKeyId, secretAccessKey, region, service: "s3", datetime: "20261126T010203Z" };

/** No dot segments, which the other signer resolves. */
const key = fc
  .array(
    fc.string({ unit: "grapheme", minLength: 1 }).filter((part) => !/^\.+$|[/\\]/.test(part)),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((parts) => parts.join("/"));
const query = fc.dictionary(
  fc.stringMatching(/^[a-z][a-z-]{0,20}$/),
  fc.string({ unit: "grapheme" }),
  { maxKeys: 5 },
);

test("requests have the signature that another implementation gives them", async () => {
  await fc.assert(
    fc.asyncProperty(
      key,
      query,
      fc.boolean(),
      fc.constantFrom("GET", "PUT", "POST", "DELETE"),
      async (name, parameters, forcePathStyle, method) => {
        const signer = createRequestSigner({ ...settings, forcePathStyle }, () => NOW);
        const headers = {
          "Content-Type": "text/plain;  charset=utf-8",
          "X-Amz-Content-Sha256": "abc",
        };
        const { url, headers: signed } = signer.sign(
          { method, key: name, query: parameters },
          headers,
        );
        const other = await new AwsV4Signer({
          ...keys,
          method,
          url,
          headers,
          allHeaders: true,
        }).sign();
        expect(signed.authorization).toBe(other.headers.get("Authorization") ?? "");
        expect(signed["x-amz-date"]).toBe(other.headers.get("X-Amz-Date") ?? "");
      },
    ),
  );
});

test("presigned URLs have the same signature, too", async () => {
  await fc.assert(
    fc.asyncProperty(key, query, async (name, parameters) => {
      const signer = createRequestSigner(settings, () => NOW);
      const url = new URL(signer.presign({ method: "GET", key: name, query: parameters }, 60));
      const unsigned = new URL(url);
      for (const each of ["Algorithm", "Credential", "Date", "SignedHeaders", "Signature"]) {
        unsigned.searchParams.delete(`X-Amz-${each}`);
      }
      const other = await new AwsV4Signer({ ...keys, url: unsigned.href, signQuery: true }).sign();
      expect(url.searchParams.get("X-Amz-Signature")).toBe(
        other.url.searchParams.get("X-Amz-Signature"),
      );
      for (const [parameter, value] of Object.entries(parameters)) {
        expect(url.searchParams.get(parameter)).toBe(value.toWellFormed());
      }
    }),
  );
});

test("the signing key changes with the day", () => {
  let now = NOW;
  const signer = createRequestSigner(settings, () => now);
  const signatureAt = (time: number): string | undefined => {
    now = time;
    return signer.sign({ method: "GET" }).headers.authorization;
  };
  const first = signatureAt(NOW);
  expect(signatureAt(NOW + 86_400_000)).toContain("20261127/eu-central-1/s3/aws4_request");
  expect(signatureAt(NOW)).toBe(first);
});
