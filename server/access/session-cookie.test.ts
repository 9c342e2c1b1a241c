import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { randomSecret } from "./secrets.ts";
import { clearSessionCookie, readSessionToken, sessionCookie } from "./session-cookie.ts";

const token = randomSecret();
/** A month. */
const session = { createdAt: 1000, expiresAt: 2_592_001_000 };
const http = { secure: false };
const https = { secure: true };

describe("the session cookie", () => {
  test("is HttpOnly and SameSite=Lax", () => {
    expect(sessionCookie(token, session, http)).toBe(
      `holdall_session=${token}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax`,
    );
  });

  test("over HTTPS is Secure and bound to this host", () => {
    expect(sessionCookie(token, session, https)).toBe(
      `__Host-holdall_session=${token}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure`,
    );
  });

  test("lives as long as its session", () => {
    const short = { createdAt: 1000, expiresAt: 43_201_999 };
    expect(sessionCookie(token, short, http)).toContain("; Max-Age=43200; ");
  });

  test("is removed with the same name, path and prefix", () => {
    expect(clearSessionCookie(http)).toMatch(/^holdall_session=; Path=\/; Max-Age=0;/);
    expect(clearSessionCookie(https)).toMatch(
      /^__Host-holdall_session=; Path=\/; Max-Age=0;.*; Secure$/,
    );
  });
});

describe("the token in a Cookie header", () => {
  const plain = `holdall_session=${token}`;
  const rows: [string | null, boolean][] = [
    [plain, true],
    [`theme=dark; ${plain}; lang=en`, true],
    [`theme=dark;${plain}`, true],
    [`${plain};`, true],
    [`other_holdall_session=x; ${plain}`, true],
    [null, false],
    ["", false],
    ["holdall_session", false],
    ["holdall_session=", false],
    [`holdall_session="${token}"`, false],
    [`holdall_session=${token}x`, false],
    [`holdall_session=${token.slice(1)}`, false],
    [`Holdall_Session=${token}`, false],
    [`holdall_session =${token}`, false],
    [`x=1, ${plain}`, false],
    [`other_holdall_session=${token}`, false],
    // The prefixed cookie only counts over HTTPS.
    [`__Host-${plain}`, false],
    // Duplicates: another site of the domain may have set one.
    [`${plain}; ${plain}`, false],
    [`${plain}; holdall_session=`, false],
    [`holdall_session=x; ${plain}`, false],
  ];
  for (const [header, found] of rows) {
    test(`${header?.replaceAll(token, "TOKEN")} ${found ? "has a token" : "has no token"}`, () => {
      expect(readSessionToken(header, http)).toBe(found ? token : undefined);
    });
  }

  test("needs the prefix over HTTPS", () => {
    expect(readSessionToken(`__Host-${plain}`, https)).toBe(token);
    expect(readSessionToken(plain, https)).toBeUndefined();
    expect(readSessionToken(`${plain}; __Host-holdall_session=${token}`, https)).toBe(token);
  });

  const secure = fc.boolean().map((value) => ({ secure: value }));
  const others = fc.array(fc.stringMatching(/^[a-z]{1,8}=[\w"]{0,8}$/));

  test("is found among any other cookies", () => {
    fc.assert(
      fc.property(secure, others, others, (options, before, after) => {
        const value = randomSecret();
        const set = sessionCookie(value, session, options).split(";", 1);
        const header = [...before, ...set, ...after].join("; ");
        expect(readSessionToken(header, options)).toBe(value);
      }),
    );
  });

  test("is well-formed or undefined for any header", () => {
    const part = fc.oneof(fc.string(), fc.constantFrom(plain, `__Host-${plain}`, ";", "=", " "));
    fc.assert(
      fc.property(secure, fc.array(part), (options, parts) => {
        expect(readSessionToken(parts.join(""), options) ?? token).toMatch(/^[0-9A-Za-z]{43}$/);
      }),
    );
  });
});
