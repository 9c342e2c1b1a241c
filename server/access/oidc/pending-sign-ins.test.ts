import { expect, test } from "bun:test";
import { createClock } from "../credentials.fixture.ts";
import { readPendingCookie } from "./oidc-cookie.ts";
import { createPendingSignIns, PENDING_MS } from "./pending-sign-ins.ts";

const SECRET = "of-the-tests-3f8c1b7e94d2a6c05b18";

test("a pending sign-in is opened by every server with the secret, for ten minutes", () => {
  const clock = createClock();
  const pending = createPendingSignIns(() => SECRET, clock.now);
  const { sealed, attempt } = pending.begin({ returnTo: "/files/a", invitation: "token" });
  const other = createPendingSignIns(() => SECRET, clock.now);
  expect(other.open(sealed)).toMatchObject({ attempt, returnTo: "/files/a", invitation: "token" });
  expect(createPendingSignIns(() => `${SECRET}x`, clock.now).open(sealed)).toBe(undefined);
  clock.pass(PENDING_MS - 1);
  expect(other.open(sealed)).toBeDefined();
  clock.pass(1);
  expect(other.open(sealed)).toBe(undefined);
});

test("state, nonce and verifier differ, each time", () => {
  const pending = createPendingSignIns(() => SECRET, Date.now);
  const values = [1, 2].flatMap(() => Object.values(pending.begin({ returnTo: "/" }).attempt));
  expect(new Set(values).size).toBe(6);
  for (const value of values) expect(value).toMatch(/^[\w-]{43}$/);
});

test("the longest return path fits into a cookie", () => {
  const pending = createPendingSignIns(() => SECRET, Date.now);
  const { sealed } = pending.begin({
    returnTo: `/${"x".repeat(1499)}`,
    connectSession: "0198c1a2-7b3c-7def-8123-456789abcdef",
  });
  expect(sealed.length).toBeLessThan(3500);
});

test("two cookies of the name count as none", () => {
  const secure = true;
  expect(readPendingCookie("a=b; __Host-holdall_oidc=x", { secure })).toBe("x");
  expect(readPendingCookie("__Host-holdall_oidc=x; __Host-holdall_oidc=y", { secure })).toBe(
    undefined,
  );
  expect(readPendingCookie("holdall_oidc=x", { secure })).toBe(undefined);
  expect(readPendingCookie(null, { secure })).toBe(undefined);
});
