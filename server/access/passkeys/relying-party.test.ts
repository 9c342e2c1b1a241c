import { expect, test } from "bun:test";
import { rejectUnusableHost, relyingPartyOf } from "./relying-party.ts";

const none = { hostHeader: null, originHeader: null, publicOrigin: null };

test("the public URL decides, then the page's origin, then the Host header", () => {
  const request = { ...none, hostHeader: "localhost:3000" };
  expect(relyingPartyOf(request)).toEqual({ host: "localhost", origin: "http://localhost:3000" });
  const page = { ...request, originHeader: "https://localhost:3000" };
  expect(relyingPartyOf(page)?.origin).toBe("https://localhost:3000");
  const proxied = { ...page, publicOrigin: "https://files.example.com" };
  expect(relyingPartyOf(proxied)).toEqual({
    ...{ host: "files.example.com", origin: "https://files.example.com" },
  });
  for (const hostHeader of [null, "", "a b", "%"]) {
    expect(relyingPartyOf({ ...none, hostHeader })).toBeUndefined();
  }
});

test.each([
  "https://files.example.com",
  "http://localhost:3000",
  "http://a.localhost",
  "https://nas",
])("passkeys work at %s", (publicOrigin) => {
  const site = relyingPartyOf({ ...none, publicOrigin });
  expect(() => site && rejectUnusableHost(site)).not.toThrow();
});

test.each([
  ["http://127.0.0.1:3000", "IP address"],
  ["https://192.0.2.1", "IP address"],
  ["https://[2001:db8::1]:8443", "IP address"],
  ["http://files.example.com", "HTTPS"],
  ["http://notlocalhost", "HTTPS"],
])("passkeys do not work at %s", (publicOrigin, reason) => {
  const site = relyingPartyOf({ ...none, publicOrigin });
  expect(() => site && rejectUnusableHost(site)).toThrow(reason);
});
