import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { randomSecret } from "./secrets.ts";
import { clearSessionCookie, readSessionToken, sessionCookie } from "./session-cookie.ts";

const token = randomSecret();
const http = { secure: false };
const https = { secure: true };

describe("the session's cookie", () => {
  test("cannot be read by scripts, and is not sent along by other sites' forms", () => {
    expect(sessionCookie(token, http)).toBe(
      `holdall_session=${token}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax`,
    );
  });

  test("under https belongs to this host alone and never travels in the clear", () => {
    expect(sessionCookie(token, https)).toBe(
      `__Host-holdall_session=${token}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure`,
    );
  });

  test("is removed by one of the same name, path and prefix", () => {
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
    // Under https only the prefixed one counts, and the other way round.
    [`__Host-${plain}`, false],
    // Two of one name: another site of the domain may have set one.
    [`${plain}; ${plain}`, false],
    [`${plain}; holdall_session=`, false],
    [`holdall_session=x; ${plain}`, false],
  ];
  for (const [header, found] of rows) {
    test(`${header?.replaceAll(token, "TOKEN")} has ${found ? "one" : "none"}`, () => {
      expect(readSessionToken(header, http)).toBe(found ? token : undefined);
    });
  }

  test("counts under https only with the prefix", () => {
    expect(readSessionToken(`__Host-${plain}`, https)).toBe(token);
    expect(readSessionToken(plain, https)).toBeUndefined();
    expect(readSessionToken(`${plain}; __Host-holdall_session=${token}`, https)).toBe(token);
  });

  const secure = fc.boolean().map((value) => ({ secure: value }));
  const others = fc.array(fc.stringMatching(/^[a-z]{1,8}=[\w"]{0,8}$/));

  test("that was set is found among any others", () => {
    fc.assert(
      fc.property(secure, others, others, (options, before, after) => {
        const value = randomSecret();
        const set = sessionCookie(value, options).split(";", 1);
        const header = [...before, ...set, ...after].join("; ");
        expect(readSessionToken(header, options)).toBe(value);
      }),
    );
  });

  test("is a token or nothing, whatever the header", () => {
    const part = fc.oneof(fc.string(), fc.constantFrom(plain, `__Host-${plain}`, ";", "=", " "));
    fc.assert(
      fc.property(secure, fc.array(part), (options, parts) => {
        expect(readSessionToken(parts.join(""), options) ?? token).toMatch(/^[0-9A-Za-z]{43}$/);
      }),
    );
  });
});
