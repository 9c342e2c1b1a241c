import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isEmbedded, mayUseCookies, sameOrigin } from "./origin.ts";

const request = {
  method: "POST",
  host: "files.example.com",
  origin: null,
  secFetchSite: null,
  secFetchDest: null,
  publicOrigin: null,
};

describe("an unsafe request is same-origin", () => {
  const rows: [string, Partial<Parameters<typeof sameOrigin>[0]>, boolean][] = [
    ["without browser headers", {}, true],
    ["from our origin", { origin: "https://files.example.com", secFetchSite: "same-origin" }, true],
    ["from our origin, old browser", { origin: "https://files.example.com" }, true],
    ["from our origin over HTTP", { origin: "http://files.example.com" }, true],
    ["started by the user", { secFetchSite: "none" }, true],
    ["with the default port in Host", { origin: "https://a.b", host: "a.b:443" }, true],
    ["with a port", { origin: "http://a.b:3000", host: "a.b:3000" }, true],
    ["from an IPv6 address", { origin: "http://[::1]:3000", host: "[::1]:3000" }, true],
    ["with capital letters in Host", { origin: "https://a.b", host: "A.B" }, true],
    ["from another site", { origin: "https://evil.example" }, false],
    ["cross-site by Sec-Fetch-Site", { secFetchSite: "cross-site" }, false],
    ["same-site by Sec-Fetch-Site", { secFetchSite: "same-site" }, false],
    ["with an unknown Sec-Fetch-Site", { secFetchSite: "" }, false],
    [
      "from another site, same-origin by Sec-Fetch-Site",
      { origin: "https://evil.example", secFetchSite: "same-origin" },
      false,
    ],
    [
      "from our origin, cross-site by Sec-Fetch-Site",
      { origin: "https://files.example.com", secFetchSite: "cross-site" },
      false,
    ],
    ["from a sandbox", { origin: "null" }, false],
    ["from another port", { origin: "https://files.example.com:8443" }, false],
    ["from a subdomain", { origin: "https://x.files.example.com" }, false],
    ["from a host that starts with ours", { origin: "https://files.example.com.evil" }, false],
    ["from a browser extension", { origin: "chrome-extension://files.example.com" }, false],
    ["with two origins", { origin: "https://files.example.com https://evil.example" }, false],
    ["with an empty Origin", { origin: "" }, false],
    ["without Host", { origin: "https://files.example.com", host: null }, false],
    ["without Host or Origin", { host: null }, true],
    ["with an empty Host", { origin: "https://files.example.com", host: "" }, false],
    [
      "from the public origin, with the proxy's Host",
      { origin: "https://a.b", host: "10.0.0.1:3000", publicOrigin: "https://a.b" },
      true,
    ],
    [
      "from the proxy's Host instead of the public origin",
      { origin: "http://10.0.0.1:3000", host: "10.0.0.1:3000", publicOrigin: "https://a.b" },
      false,
    ],
    [
      "from the public host without TLS",
      { origin: "http://a.b", publicOrigin: "https://a.b" },
      false,
    ],
  ];
  for (const [what, headers, allowed] of rows) {
    test(`${what}: ${allowed}`, () => {
      for (const method of ["POST", "PUT", "DELETE", "PATCH", "TRACE", "post"]) {
        const given = { ...request, method, ...headers };
        expect(sameOrigin(given)).toBe(allowed);
        const isKnown = given.origin !== null || given.secFetchSite !== null;
        expect(mayUseCookies(given)).toBe(allowed && isKnown);
      }
    });
  }
});

test("a safe request is allowed from any origin", () => {
  for (const method of ["GET", "HEAD", "OPTIONS"]) {
    const safe = { ...request, method, origin: "https://evil.example" };
    expect(sameOrigin({ ...safe, secFetchSite: "cross-site" })).toBe(true);
    expect(mayUseCookies({ ...request, method })).toBe(true);
  }
});

test("no other host counts as ours", () => {
  const other = fc.oneof(fc.webAuthority(), fc.domain(), fc.string());
  fc.assert(
    fc.property(other, fc.constantFrom("http", "https"), (host, scheme) => {
      fc.pre(!host.toLowerCase().includes(request.host));
      expect(sameOrigin({ ...request, origin: `${scheme}://${host}` })).toBe(false);
    }),
  );
});

test.each([
  ["without browser headers", null, null, false],
  ["an image on our page", "same-origin", "image", false],
  ["typed by the user", "none", "document", false],
  ["a link on another site", "cross-site", "document", false],
  ["a link on a same-site page", "same-site", "document", false],
  ["an image on a same-site page", "same-site", "image", true],
  ["a script on a same-site page", "same-site", "script", true],
  ["a frame on a same-site page", "same-site", "iframe", true],
  ["fetched by a same-site script", "same-site", "empty", true],
  ["an image on another site", "cross-site", "image", true],
  ["cross-origin without Sec-Fetch-Dest", "same-site", null, true],
])("embedding: %s", (_what, secFetchSite, secFetchDest, embedded) => {
  expect(isEmbedded({ ...request, method: "GET", secFetchSite, secFetchDest })).toBe(embedded);
});
