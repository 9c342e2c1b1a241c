import { describe, expect, test } from "bun:test";
import { z } from "zod";
import { createSoftwareAuthenticator } from "../server/access/passkeys/software-authenticator.fixture.ts";
import { parseBase32, totpCode, totpStep } from "../server/lib/totp.ts";
import { api, send } from "./client.ts";
import { eventually, expectData, expectFault } from "./expectations.ts";
import { run, type TestServer } from "./harness.ts";
import { administrator, cookieOf, fromPage, signIn } from "./session.ts";
import { accountData, whoData } from "./shapes.ts";
import { withServer } from "./with-server.ts";

const PASSWORD = administrator.ADMIN_PASSWORD;
const passkeyShape = z.strictObject({
  id: z.string(),
  name: z.string(),
  host: z.string(),
  credentialId: z.string(),
  synced: z.boolean(),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
});
const passkeyData = z.strictObject({ passkey: passkeyShape });
const listData = z.strictObject({ passkeys: z.array(passkeyShape) });
const creationData = z.object({
  options: z.object({
    challenge: z.string(),
    rp: z.object({ id: z.string() }),
    user: z.object({ id: z.string() }),
  }),
});
const requestData = z.strictObject({
  options: z.object({ challenge: z.string(), rpId: z.string() }).nullable(),
});

type Device = ReturnType<typeof createSoftwareAuthenticator>;

/** The server under a name, which passkeys need. */
const named = ({ url, apiKey }: TestServer) => ({
  apiKey,
  url: url.replace("127.0.0.1", "localhost"),
});
type Named = ReturnType<typeof named>;

const prepare = (server: Named, cookie: string, body: object = { currentPassword: PASSWORD }) =>
  fromPage(server, "POST", "/auth/passkeys/options", cookie, body);

const add = (server: Named, cookie: string, response: unknown, name?: string) =>
  fromPage(server, "POST", "/auth/passkeys", cookie, { response, name });

async function addPasskey(server: Named, cookie: string, device: Device, proof?: object) {
  const { options } = expectData(await prepare(server, cookie, proof), creationData);
  return expectData(await add(server, cookie, device.create(options), "Device"), passkeyData)
    .passkey;
}

async function signInOptions(server: Named) {
  const path = "/auth/sign-in/passkey/options";
  return expectData(await fromPage(server, "POST", path, ""), requestData).options;
}

async function assertion(server: Named, device: Device) {
  const options = await signInOptions(server);
  if (options === null) throw new Error("No passkey works");
  return device.get(options);
}

const signInWith = (server: Named, response: unknown, headers = {}) =>
  fromPage(server, "POST", "/auth/sign-in/passkey", "", { response }, headers);

const list = async (server: Named, cookie: string) =>
  expectData(await fromPage(server, "GET", "/auth/passkeys", cookie), listData).passkeys;

type Act = (server: Named, cookie: string, device: Device, bare: TestServer) => Promise<void>;

const withAccount = (act: Act, env = {}) =>
  withServer({ ...administrator, ...env }, async (server) => {
    const site = named(server);
    const device = createSoftwareAuthenticator(site.url);
    await act(site, await signIn(site), device, server);
  });

describe("passkeys", () => {
  test("are added, sign in without the password, are renamed and removed", () =>
    withAccount(async (server, cookie, device) => {
      expect(await signInOptions(server)).toBeNull();
      const { id } = await addPasskey(server, cookie, device);
      const [added] = await list(server, cookie);
      expect(added).toMatchObject({ id, name: "Device", host: "localhost", lastUsedAt: null });

      const answer = await signInWith(server, await assertion(server, device));
      expectData(answer, accountData);
      const who = await fromPage(server, "GET", "/auth/session", cookieOf(answer));
      expect(expectData(who, whoData).account.email).toBe(administrator.ADMIN_EMAIL);
      expect((await list(server, cookie))[0]?.lastUsedAt).toBeString();

      const change = (method: string, body: object) =>
        fromPage(server, method, "/auth/passkeys", cookie, body);
      expectData(await change("PUT", { id, name: " Phone " }), passkeyData);
      expect((await list(server, cookie))[0]?.name).toBe("Phone");
      expectFault(await change("PUT", { id, name: " " }), 400, /`name`/);
      expectFault(await change("PUT", { id: "x", name: "Phone" }), 404);
      const last = await assertion(server, device);
      expectData(await change("DELETE", { id }), passkeyData);
      expectFault(await change("DELETE", { id }), 404);
      expectFault(await signInWith(server, last), 401, /removed/);
      expect(await signInOptions(server)).toBeNull();
    }));

  test("are accepted once, by every worker process", () =>
    withAccount(
      async (server, cookie, device) => {
        await addPasskey(server, cookie, device);
        for (let round = 0; round < 3; round += 1) {
          const response = await assertion(server, device);
          const sent = Array.from({ length: 5 }, () => signInWith(server, response));
          const statuses = (await Promise.all(sent)).map(({ status }) => status);
          expect(statuses.filter((status) => status === 200)).toEqual([200]);
          // The others count as failed attempts, and some may have to wait.
          const next = await assertion(server, device);
          await eventually("the next sign-in", async () => {
            return (await signInWith(server, next)).status === 200;
          });
        }
      },
      { WORKERS: process.platform === "linux" ? "2" : "1" },
    ));

  test("are not added by a stolen session without the password", () =>
    withAccount(async (server, cookie, device) => {
      expectFault(await prepare(server, cookie, {}), 400, /`currentPassword`/);
      expectFault(await prepare(server, cookie, { currentPassword: "wrong" }), 401);
      const unprepared = device.create({
        challenge: "bW9vbmxpZ2h0",
        rp: { id: "localhost" },
        user: { id: "YQ" },
      });
      expectFault(await add(server, cookie, unprepared), 400, /Try again/);
      // The challenge of another session, even of the same account.
      const { options } = expectData(await prepare(server, cookie), creationData);
      const stolen = await signIn(server);
      expectFault(await add(server, stolen, device.create(options)), 400, /Try again/);
      const withKey = { "API-Key": server.apiKey };
      expectFault(await send(server, "GET", "/auth/passkeys", withKey), 401);
      expect(await list(server, cookie)).toEqual([]);
      expectData(await add(server, cookie, device.create(options)), passkeyData);
      expectFault(await add(server, cookie, device.create(options)), 400, /used before/);
    }));

  test("need the code as well to be added with two-step sign-in, and sign in alone", () =>
    withAccount(async (server, cookie, device) => {
      const made = await fromPage(server, "POST", "/auth/second-factor/secret", cookie);
      const { secret } = expectData(made, z.object({ secret: z.string(), uri: z.string() }));
      const code = (skew: number) =>
        totpCode(parseBase32(secret) ?? new Uint8Array(), totpStep(Date.now()) + skew);
      const body = { currentPassword: PASSWORD, secret, code: code(0) };
      const enabled = await fromPage(server, "POST", "/auth/second-factor", cookie, body);
      expect(enabled.status).toBe(200);
      expectFault(await prepare(server, cookie), 403, /code of your authenticator app/);
      const wrong = { currentPassword: PASSWORD, code: "000000" };
      expectFault(await prepare(server, cookie, wrong), 401);
      const proof = { currentPassword: PASSWORD, code: code(1) };
      await addPasskey(server, cookie, device, proof);
      expectFault(await prepare(server, cookie, proof), 401, /used before/);
      expectData(await signInWith(server, await assertion(server, device)), accountData);
    }));

  test("stay when the password changes, and the command says so or removes them", () =>
    withAccount(async (server, cookie, device, bare) => {
      await addPasskey(server, cookie, device);
      const next = { currentPassword: PASSWORD, newPassword: "an even longer one" };
      const changed = await fromPage(server, "PUT", "/auth/password", cookie, next);
      expect(changed.status).toBe(200);
      expectData(await signInWith(server, await assertion(server, device)), accountData);

      const reset = ["admin", "reset-password", "--password", "a new long password"];
      const kept = await run(reset, bare.env);
      expect([kept.code, kept.stderr]).toEqual([
        0,
        expect.stringContaining("A passkey can still sign in"),
      ]);
      const signed = await assertion(server, device);
      const removed = await run([...reset, "--remove-second-factor"], bare.env);
      expect(removed.stderr).toContain("there are no passkeys");
      expectFault(await signInWith(server, signed), 401, /removed/);
      const again = await signIn(server, "a new long password");
      expect(await list(server, again)).toEqual([]);
    }));

  test("survive a restart and another AUTH_SECRET", () =>
    withAccount(async (_, cookie, device, bare) => {
      await addPasskey(named(bare), cookie, device);
      await bare.restart({ AUTH_SECRET: "another secret that is long enough for this" });
      const server = named(bare);
      const moved = {
        ...device,
        get: (options: Parameters<Device["get"]>[0]) => device.get(options, { origin: server.url }),
      };
      expectData(await signInWith(server, await assertion(server, moved)), accountData);
    }));

  test("are of one site: the public URL, if it is set", () =>
    withServer({ ...administrator, PUBLIC_URL: "https://files.example.com" }, async (server) => {
      const origin = { Origin: "https://files.example.com" };
      const credentials = { email: administrator.ADMIN_EMAIL, password: PASSWORD };
      const post = (path: string, body: unknown, cookie = "", headers: object = origin) =>
        fromPage(server, "POST", path, cookie, body, { ...headers });
      const cookie = cookieOf(await post("/auth/sign-in", credentials));
      const proof = { currentPassword: PASSWORD };
      const { options } = expectData(
        await post("/auth/passkeys/options", proof, cookie),
        creationData,
      );
      expect(options.rp.id).toBe("files.example.com");
      const evil = createSoftwareAuthenticator("https://evil.example.com");
      expectFault(await post("/auth/passkeys", { response: evil.create(options) }, cookie), 400);
      const device = createSoftwareAuthenticator(origin.Origin);
      const response = device.create(options);
      expectData(await post("/auth/passkeys", { response }, cookie), passkeyData);
      const asked = await post("/auth/sign-in/passkey/options", undefined);
      const request = expectData(asked, requestData).options;
      if (request === null) throw new Error("No passkey works");
      const signed = { response: device.get(request) };
      const path = "/auth/sign-in/passkey";
      expectFault(await post(path, signed, "", { Origin: "https://evil.example.com" }), 401);
      const foreign = device.get(request, { origin: "https://evil.example.com" });
      expectFault(await post(path, { response: foreign }), 401, /not accepted/);
      const answer = await post(path, signed);
      expectData(answer, accountData);
      expect(cookieOf(answer)).toStartWith("__Host-");
    }));

  test("are refused at an IP address, before the password is checked", () =>
    withAccount(async (_, __, ___, bare) => {
      const cookie = await signIn(bare);
      const body = { currentPassword: "wrong" };
      const answer = await fromPage(bare, "POST", "/auth/passkeys/options", cookie, body);
      expectFault(answer, 400, /host name/);
    }));

  test("share the limit of failed attempts with the password", () =>
    withAccount(
      async (server, cookie, device) => {
        await addPasskey(server, cookie, device);
        const from = (at: number) => ({ "X-Forwarded-For": `203.0.113.${at}` });
        const good = await assertion(server, device);
        const bad = { ...good, response: { ...good.response, signature: "MEUCIQ" } };
        const guess = () => signInWith(server, bad, from(1));
        const body = { email: "someone@example.com", password: "wrong" };
        const guessPassword = () => fromPage(server, "POST", "/auth/sign-in", "", body, from(1));
        let passwords = 0;
        await eventually("the password is refused during a wait for passkeys", async () => {
          const answers = await Promise.all(Array.from({ length: 20 }, guess));
          const refused = answers.find(({ status }) => status === 429);
          if (refused === undefined) return false;
          expectFault(refused, 429, /Too many failed attempts/);
          const answer = await guessPassword();
          if (answer.status === 429) return true;
          // The wait was over, and the next one is longer. Alone, four attempts are within the limit.
          passwords += 1;
          expect(passwords).toBeLessThan(4);
          return false;
        });
        expectData(await signInWith(server, good, from(2)), accountData);
      },
      { TRUSTED_PROXIES: "127.0.0.1, ::1" },
    ));

  test("refuse bodies that are too large or not what browsers send", () =>
    withAccount(async (server, cookie, device) => {
      await addPasskey(server, cookie, device);
      const good = await assertion(server, device);
      const large = { ...good, response: { ...good.response, signature: "A".repeat(17_000) } };
      expectFault(await signInWith(server, large), 413);
      expectFault(await signInWith(server, { ...good, id: "A".repeat(1400) }), 400, /response.id/);
      expectFault(await signInWith(server, { ...good, id: "a=b" }), 400, /base64url/);
      expectFault(await signInWith(server, { ...good, type: "password" }), 400, /public-key/);
      expectFault(await signInWith(server, { ...good, response: {} }), 400, /clientDataJSON/);
      expectFault(await signInWith(server, null), 400, /response/);
      const { options } = expectData(await prepare(server, cookie), creationData);
      const made = createSoftwareAuthenticator(server.url).create(options);
      const nested = Buffer.alloc(200_000, 0x81).toString("base64url");
      for (const attestationObject of ["", "AA", "oA", "v2Nmb_", "A".repeat(100_000), nested]) {
        const response = { ...made.response, attestationObject };
        expectFault(await add(server, cookie, { ...made, response }), 400);
      }
      expectData(await signInWith(server, good), accountData);
    }));

  test("appear in the activity log", () =>
    withAccount(async (server, cookie, device) => {
      const { id } = await addPasskey(server, cookie, device);
      expectFault(await prepare(server, cookie, { currentPassword: "wrong" }), 401);
      const good = await assertion(server, device);
      const bad = { ...good, response: { ...good.response, signature: "MEUCIQ" } };
      expectFault(await signInWith(server, bad), 401);
      expectData(await signInWith(server, good), accountData);
      await fromPage(server, "DELETE", "/auth/passkeys", cookie, { id });
      const shape = z.object({
        activity: z.array(
          z.object({
            action: z.string(),
            outcome: z.string(),
            detail: z.record(z.string(), z.unknown()),
          }),
        ),
      });
      const expected = [
        ["addPasskey", "done", "Device"],
        ["preparePasskey", "failed", undefined],
        ["signInWithPasskey", "failed", undefined],
        ["signInWithPasskey", "done", undefined],
        ["removePasskey", "done", "Device"],
      ];
      await eventually("all are recorded", async () => {
        const log = await api(server).get("/api/activity?limit=50");
        const entries = expectData(log, shape)
          .activity.toReversed()
          .filter(({ action }) => /passkey/i.test(action))
          .map(({ action, outcome, detail }) => [action, outcome, detail.name]);
        if (entries.length < expected.length) return false;
        expect(entries).toEqual(expected);
        return true;
      });
    }));
});
