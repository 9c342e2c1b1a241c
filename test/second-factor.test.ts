import { describe, expect, test } from "bun:test";
import { z } from "zod";
import { activityObject } from "../contract/objects/activity.ts";
import { parseBase32, totpCode, totpStep } from "../server/lib/totp.ts";
import { api, send } from "./client.ts";
import { eventually, expectData, expectFault } from "./expectations.ts";
import { run, type TestServer } from "./harness.ts";
import { administrator, cookieOf, fromPage, signIn } from "./session.ts";
import { accountData } from "./shapes.ts";
import { withServer } from "./with-server.ts";

const EMAIL = administrator.ADMIN_EMAIL;
const PASSWORD = administrator.ADMIN_PASSWORD;
const codesData = z.strictObject({ recoveryCodes: z.array(z.string()) });
const secretData = z.strictObject({ secret: z.string(), uri: z.string() });
const stateData = z.strictObject({ enabledAt: z.string().nullable(), recoveryCodes: z.int() });

const trySignIn = (server: TestServer, code?: string, password: string = PASSWORD) =>
  fromPage(server, "POST", "/auth/sign-in", "", { email: EMAIL, password, code });

/** The code of the step that is `skew` steps from now. */
function codeOf(secret: string, skew = 0): string {
  const bytes = parseBase32(secret);
  if (bytes === undefined) throw new Error("Not base32");
  return totpCode(bytes, totpStep(Date.now()) + skew);
}

const stateOf = async (server: TestServer, cookie: string) =>
  expectData(await fromPage(server, "GET", "/auth/second-factor", cookie), stateData);

/** Turns two-step sign-in on with the current code. */
async function enable(server: TestServer, cookie: string) {
  const made = await fromPage(server, "POST", "/auth/second-factor/secret", cookie);
  const { secret, uri } = expectData(made, secretData);
  expect(uri).toContain(secret);
  const code = codeOf(secret);
  const body = { currentPassword: PASSWORD, secret, code };
  const answer = await fromPage(server, "POST", "/auth/second-factor", cookie, body);
  return { secret, code, ...expectData(answer, codesData) };
}

const withAccount = (act: (server: TestServer, cookie: string) => Promise<void>, env = {}) =>
  withServer({ ...administrator, ...env }, async (server) => act(server, await signIn(server)));

describe("two-step sign-in", () => {
  test("asks for a code after the right password, and accepts each code once", () =>
    withAccount(async (server, cookie) => {
      expect(await stateOf(server, cookie)).toEqual({ enabledAt: null, recoveryCodes: 0 });
      const { secret, code, recoveryCodes } = await enable(server, cookie);
      expect((await stateOf(server, cookie)).recoveryCodes).toBe(10);
      expect(new Set(recoveryCodes).size).toBe(10);

      expectFault(await trySignIn(server, undefined, "wrong password"), 401);
      const asked = await trySignIn(server);
      expectFault(asked, 403, /code of your authenticator app/);
      expect(asked.all("set-cookie")).toEqual([]);
      // The code that turned it on was used.
      expectFault(await trySignIn(server, code), 401, /wrong, or was used before/);
      const next = codeOf(secret, 1);
      const signedIn = await trySignIn(server, ` ${next.slice(0, 3)} ${next.slice(3)} `);
      expectData(signedIn, accountData);
      expectFault(await trySignIn(server, next), 401);
      expect((await stateOf(server, cookieOf(signedIn))).enabledAt).toBeString();

      // Sessions from before and API keys stay valid.
      expect((await api(server).get("/api/files")).status).toBe(200);
      expect((await stateOf(server, cookie)).recoveryCodes).toBe(10);
    }));

  test("accepts a recovery code once, at the same time too", () =>
    withAccount(
      async (server, cookie) => {
        const { recoveryCodes } = await enable(server, cookie);
        const [first = "", second = ""] = recoveryCodes;
        const answers = await Promise.all([1, 2, 3].map(() => trySignIn(server, first)));
        expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401]);
        expectData(await trySignIn(server, second.toLowerCase().replaceAll("-", " ")), accountData);
        expect((await stateOf(server, cookie)).recoveryCodes).toBe(8);
      },
      { WORKERS: process.platform === "linux" ? "2" : "1" },
    ));

  test("is changed only with the password and a code", () =>
    withAccount(async (server, cookie) => {
      const path = "/auth/second-factor";
      const secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
      const on = (body: object) => fromPage(server, "POST", path, cookie, body);
      const proof = { currentPassword: PASSWORD, secret };
      expectFault(await on({ ...proof, code: codeOf(secret), currentPassword: "no" }), 401);
      expectFault(await on({ ...proof, code: codeOf(secret, 5) }), 400, /does not match/);
      expectFault(await on({ ...proof, secret: "SHORT", code: "123456" }), 400, /`secret`/);
      expectFault(await fromPage(server, "DELETE", path, cookie, { ...proof, code: "1" }), 400);
      expect((await stateOf(server, cookie)).enabledAt).toBeNull();

      const { recoveryCodes } = await enable(server, cookie);
      expectFault(await on({ ...proof, code: codeOf(secret) }), 409);
      const [first = "", second = ""] = recoveryCodes;
      const off = (code: string, currentPassword = PASSWORD as string) =>
        fromPage(server, "DELETE", path, cookie, { currentPassword, code });
      expectFault(await off("000000"), 401);
      expectFault(await off(first, "wrong"), 401);
      const renew = { currentPassword: PASSWORD, code: first };
      const renewed = await fromPage(server, "PUT", `${path}/recovery-codes`, cookie, renew);
      const codes = expectData(renewed, codesData).recoveryCodes;
      expectFault(await off(second), 401);
      expect((await off(codes[0] ?? "")).status).toBe(200);
      expectData(await trySignIn(server), accountData);
    }));

  test("bounds guesses for the account from any number of addresses", () =>
    withAccount(
      async (server, cookie) => {
        const { recoveryCodes } = await enable(server, cookie);
        const guess = (code: string, at: number) =>
          fromPage(
            server,
            ...(["POST", "/auth/sign-in", ""] as const),
            { email: EMAIL, password: PASSWORD, code },
            { "X-Forwarded-For": `203.0.113.${at}` },
          );
        for (let at = 1; at <= 5; at += 1) expectFault(await guess("000000", at), 401);
        // Each wait is twice as long, so that even a busy machine sends both within one. A code is
        // spent only in a wait that is long enough, because there are no more than ten.
        await eventually("a right code is sent while wrong ones are refused", async () => {
          const from = performance.now();
          const wrong = await guess("000000", 6);
          const waitMs = (Number(wrong.header("retry-after") ?? 0) - 1) * 1000;
          if (wrong.status !== 429 || waitMs < 3000) return false;
          const right = await guess(recoveryCodes.shift() ?? "", 20);
          if (performance.now() - from >= waitMs) return false;
          expectFault(right, 429, /Too many failed attempts/);
          return true;
        });
      },
      { TRUSTED_PROXIES: "127.0.0.1" },
    ));

  test("stores neither the secret nor recovery codes, and survives a restart", () =>
    withAccount(async (server, cookie) => {
      const { secret, recoveryCodes } = await enable(server, cookie);
      await server.stop();
      const files = new Bun.Glob("catalog.sqlite*").scan(server.dataPath);
      for await (const name of files) {
        const bytes = Buffer.from(await Bun.file(`${server.dataPath}/${name}`).arrayBuffer());
        for (const text of [secret, ...recoveryCodes]) {
          expect(bytes.includes(text) || bytes.includes(text.replaceAll("-", ""))).toBe(false);
        }
      }
      await server.restart();
      expectFault(await trySignIn(server), 403);
      await server.restart({ AUTH_SECRET: "another secret that is long enough for this" });
      expectFault(await trySignIn(server, codeOf(secret, 1)), 401, /AUTH_SECRET has changed/);
      expectData(await trySignIn(server, recoveryCodes[0]), accountData);
    }));

  test("is removed by the command that resets the password, if asked", () =>
    withAccount(async (server, cookie) => {
      await enable(server, cookie);
      const reset = ["admin", "reset-password", "--password", "a new long password"];
      const kept = await run(reset, server.env);
      expect([kept.code, kept.stderr]).toEqual([0, expect.stringContaining("needs a code, too")]);
      expectFault(await trySignIn(server, undefined, "a new long password"), 403);
      const removed = await run([...reset, "--remove-second-factor"], server.env);
      expect(removed.stderr).toContain("Two-step sign-in is off, and there are no passkeys.");
      expectData(await trySignIn(server, undefined, "a new long password"), accountData);
      const { activity } = expectData(
        await api(server).get("/api/activity?action=resetPassword"),
        z.object({ activity: z.array(activityObject) }),
      );
      expect(activity.map(({ detail }) => detail)).toEqual([{ removeSecondFactor: true }, {}]);
    }));

  test("appears in the activity log, and a sign-in once", () =>
    withAccount(async (server, cookie) => {
      const { recoveryCodes } = await enable(server, cookie);
      expectFault(await trySignIn(server), 403);
      expectData(await trySignIn(server, recoveryCodes[0]), accountData);
      let log = "";
      await eventually("both are recorded", async () => {
        log = (await api(server).get("/api/activity?limit=50")).text;
        return log.includes("enableSecondFactor") && log.split('"signIn"').length === 3;
      });
      expect(log).not.toContain("authenticator");
      for (const code of recoveryCodes) expect(log).not.toContain(code);
      expectFault(
        await send(server, "GET", "/auth/second-factor", { "API-Key": server.apiKey }),
        401,
      );
    }));
});
