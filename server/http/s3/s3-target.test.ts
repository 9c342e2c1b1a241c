import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { S3Fault } from "../../domain/faults/s3-fault.ts";
import { isS3Host, readTarget } from "./s3-target.ts";

const DOMAIN = "s3.example.com";
const of = (bucket?: string, key?: string) => ({ bucket, key });

describe("the target of a request", () => {
  test.each([
    ["/", of()],
    ["/bucket", of("bucket")],
    ["/bucket/", of("bucket")],
    ["/bucket/a/b%20c", of("bucket", "a/b c")],
    ["/bucket/a/", of("bucket", "a/")],
    ["/bucket/a+b", of("bucket", "a+b")],
    ["/bucket/%C3%BC%2Fx", of("bucket", "ü/x")],
    ["/bucket//a", of("bucket", "/a")],
    ["//a", of()],
  ])("%p is path-style", (path, expected) => {
    expect(readTarget(path, "files.example.com", DOMAIN)).toEqual(expected);
    expect(readTarget(path, "s3.example.com:9000", DOMAIN)).toEqual(expected);
    expect(readTarget(path, "bucket.s3.example.com", null)).toEqual(expected);
  });

  test.each([
    ["/", of("photos.2026")],
    ["/a/b", of("photos.2026", "a/b")],
  ])("%p at a subdomain is virtual-hosted style", (path, expected) => {
    expect(readTarget(path, "Photos.2026.S3.example.com:443", DOMAIN)).toEqual(expected);
  });

  test("knows its hosts", () => {
    expect(isS3Host("s3.example.com:80", DOMAIN)).toBe(true);
    expect(isS3Host("a.s3.example.com", DOMAIN)).toBe(true);
    expect(isS3Host("xs3.example.com", DOMAIN)).toBe(false);
    expect(isS3Host(null, DOMAIN)).toBe(false);
  });

  test("is refused if the path is not percent-encoded UTF-8, and never anything else", () => {
    expect(() => readTarget("/a/%ff", null, null)).toThrow("percent-encoded UTF-8");
    fc.assert(
      fc.property(fc.string(), (path) => {
        try {
          readTarget(path, null, null);
        } catch (error) {
          expect(error).toBeInstanceOf(S3Fault);
        }
      }),
    );
  });
});
