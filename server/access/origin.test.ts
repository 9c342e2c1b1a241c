import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isEmbedded, sameOrigin } from "./origin.ts";

const request = {
  method: "POST",
  host: "files.example.com",
  origin: null,
  secFetchSite: null,
  secFetchDest: null,
  publicOrigin: null,
};

describe("an unsafe request is let through", () => {
  const rows: [string, Partial<Parameters<typeof sameOrigin>[0]>, boolean][] = [
    ["of no browser", {}, true],
    ["of our page", { origin: "https://files.example.com", secFetchSite: "same-origin" }, true],
    ["of our page, old browser", { origin: "https://files.example.com" }, true],
    ["of our page over http", { origin: "http://files.example.com" }, true],
    ["that the user began", { secFetchSite: "none" }, true],
    ["with the usual port in Host", { origin: "https://a.b", host: "a.b:443" }, true],
    ["with a port", { origin: "http://a.b:3000", host: "a.b:3000" }, true],
    ["of an IPv6 address", { origin: "http://[::1]:3000", host: "[::1]:3000" }, true],
    ["with capitals in Host", { origin: "https://a.b", host: "A.B" }, true],
    ["of another site", { origin: "https://evil.example" }, false],
    ["of another site, by its word", { secFetchSite: "cross-site" }, false],
    ["of a sister site", { secFetchSite: "same-site" }, false],
    ["with an unknown word", { secFetchSite: "" }, false],
    [
      "of another site that is said to be ours",
      { origin: "https://evil.example", secFetchSite: "same-origin" },
      false,
    ],
    [
      "of our page that is said to be another's",
      { origin: "https://files.example.com", secFetchSite: "cross-site" },
      false,
    ],
    ["of a sandbox", { origin: "null" }, false],
    ["of another port", { origin: "https://files.example.com:8443" }, false],
    ["of a subdomain", { origin: "https://x.files.example.com" }, false],
    ["of a name that begins as ours", { origin: "https://files.example.com.evil" }, false],
    ["of an extension", { origin: "chrome-extension://files.example.com" }, false],
    ["of two origins", { origin: "https://files.example.com https://evil.example" }, false],
    ["with an empty Origin", { origin: "" }, false],
    ["without Host", { origin: "https://files.example.com", host: null }, false],
    ["without Host or Origin", { host: null }, true],
    ["with an empty Host", { origin: "https://files.example.com", host: "" }, false],
    [
      "of the public URL, behind a proxy with a name of its own",
      { origin: "https://a.b", host: "10.0.0.1:3000", publicOrigin: "https://a.b" },
      true,
    ],
    [
      "of another origin than the public URL's",
      { origin: "http://10.0.0.1:3000", host: "10.0.0.1:3000", publicOrigin: "https://a.b" },
      false,
    ],
    [
      "of the public host without TLS",
      { origin: "http://a.b", publicOrigin: "https://a.b" },
      false,
    ],
  ];
  for (const [what, evidence, allowed] of rows) {
    test(`${what}: ${allowed}`, () => {
      for (const method of ["POST", "PUT", "DELETE", "PATCH", "TRACE", "post"]) {
        expect(sameOrigin({ ...request, method, ...evidence })).toBe(allowed);
      }
    });
  }
});

test("a safe request may come from anywhere", () => {
  for (const method of ["GET", "HEAD", "OPTIONS"]) {
    const evidence = { ...request, method, origin: "https://evil.example" };
    expect(sameOrigin({ ...evidence, secFetchSite: "cross-site" })).toBe(true);
  }
});

test("no other host is ours, however it is written", () => {
  const other = fc.oneof(fc.webAuthority(), fc.domain(), fc.string());
  fc.assert(
    fc.property(other, fc.constantFrom("http", "https"), (host, scheme) => {
      fc.pre(!host.toLowerCase().includes(request.host));
      expect(sameOrigin({ ...request, origin: `${scheme}://${host}` })).toBe(false);
    }),
  );
});

test.each([
  ["by no browser", null, null, false],
  ["by a page of ours", "same-origin", "image", false],
  ["by the user", "none", "document", false],
  ["by a link elsewhere", "cross-site", "document", false],
  ["by a link of a sister site", "same-site", "document", false],
  ["as a picture of a sister site's page", "same-site", "image", true],
  ["as a script of one", "same-site", "script", true],
  ["as a frame of one", "same-site", "iframe", true],
  ["by a script of one", "same-site", "empty", true],
  ["as a picture of another site's page", "cross-site", "image", true],
  ["from elsewhere, who knows for what", "same-site", null, true],
])("what is asked for %s", (_who, secFetchSite, secFetchDest, embedded) => {
  expect(isEmbedded({ ...request, method: "GET", secFetchSite, secFetchDest })).toBe(embedded);
});
