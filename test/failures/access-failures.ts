import type { Operation } from "../../contract/operation.ts";
import { operations } from "../../contract/operations.ts";
import { createSoftwareAuthenticator } from "../../server/access/passkeys/software-authenticator.fixture.ts";
import { parseBase32, totpCode, totpStep } from "../../server/lib/totp.ts";
import { api, send, unique } from "../client.ts";
import { eventually } from "../expectations.ts";
import type { HttpResponse } from "../http-response.ts";
import { NOWHERE } from "../operation-calls.ts";
import { PASSWORD, type Person, peopleOn } from "../people.fixture.ts";
import { administrator, fromPage, signIn, trySignIn } from "../session.ts";
import type { Provoke } from "./general-failures.ts";
import type { Scene } from "./scene.ts";

const NOBODY = "0".repeat(32);
const SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
const WRONG = "not the password";
const TWO_ENDS = { fileExpiresIn: 60, fileExpiresAt: "2099-01-01" };
const ADA = { currentPassword: administrator.ADMIN_PASSWORD };

/** How requests about accounts, keys, links and webhooks fail, by operation, status and code. */
export function accessFailures({
  a,
  site,
  start,
  startWithoutAnswers,
  exampleOf,
  people,
}: Scene): Readonly<Record<string, Provoke>> {
  const { owner, member } = people;
  /** Sends a request as a new member, whose failed attempts block nobody else. */
  const asMember =
    (method: string, path: string, body: object): Provoke =>
    async () =>
      (await member()).as(method, path, body);
  /** Each code is accepted once, and the next one already. */
  const codeAfter = (steps: 0 | 1): string =>
    totpCode(parseBase32(SECRET) ?? new Uint8Array(), totpStep(Date.now()) + steps);
  async function memberWithFactor(): Promise<Person> {
    const person = await member();
    const proof = { currentPassword: PASSWORD, secret: SECRET, code: codeAfter(0) };
    const enabled = await person.as("POST", "/auth/second-factor", proof);
    if (enabled.status !== 200) throw new Error(enabled.text);
    return person;
  }
  const withFactor =
    (method: string, path: string, body: object = {}): Provoke =>
    async () =>
      (await memberWithFactor()).as(method, path, {
        ...{ currentPassword: PASSWORD, code: "000000" },
        ...body,
      });
  async function signInOf(change: (email: string, id: string) => Promise<unknown>) {
    const { id, email } = await member();
    await change(email, id);
    return people.signInAgain(email);
  }
  const adminId = async (): Promise<string> =>
    (await people.accounts()).find(({ email }) => email === administrator.ADMIN_EMAIL)?.id ?? "";
  const newLink = async (): Promise<string> => {
    const { id } = await a.put(`${unique("failure")}/a.txt`);
    const { text } = await a.json("POST", "/api/links", { fileId: id });
    return JSON.parse(text).data.link.id;
  };
  async function revokedLink(): Promise<string> {
    const id = await newLink();
    await a.json("DELETE", "/api/links", { id });
    return id;
  }
  const last = async (count: number, ask: (at: number) => Promise<HttpResponse>) => {
    let response = await ask(0);
    for (let at = 1; at <= count && response.status < 300; at += 1) response = await ask(at);
    return response;
  };
  async function withoutAccounts(
    ask: (url: { url: string; apiKey: string }, token: string) => Promise<HttpResponse>,
  ) {
    const fresh = await start({ ADMIN_EMAIL: undefined, ADMIN_PASSWORD: undefined });
    const token = /setup\S*?([A-Za-z0-9_-]{20,})/.exec(fresh.output())?.[1] ?? "";
    return ask(fresh, token);
  }
  const setup = (server: { url: string; apiKey: string }, token: string) =>
    fromPage(server, "POST", "/auth/setup", "", {
      ...{ token, email: administrator.ADMIN_EMAIL, password: administrator.ADMIN_PASSWORD },
    });
  async function addPasskey(as: Person["as"], device = createSoftwareAuthenticator(site.url)) {
    const asked = await as("POST", "/auth/passkeys/options", { currentPassword: PASSWORD });
    const response = device.create(JSON.parse(asked.text).data.options);
    return as("POST", "/auth/passkeys", { response });
  }
  /** Sends what a device has signed a second time. */
  const twice = (operation: Operation) => async () => {
    const { path, headers, content } = await exampleOf(operation);
    await send(site, operation.method, path, headers, content);
    return send(site, operation.method, path, headers, content);
  };
  let withoutProvider: ReturnType<typeof start> | undefined;
  const plain = () => (withoutProvider ??= start({}));
  let withSilentProvider: ReturnType<typeof startWithoutAnswers> | undefined;
  const silent = () => (withSilentProvider ??= startWithoutAnswers());
  const wrongPassword = { currentPassword: WRONG };

  return {
    "setup 401 wrong_credentials": () => withoutAccounts((server) => setup(server, "x".repeat(43))),
    "setup 409 conflict": () =>
      withoutAccounts(async (server, token) => {
        await setup(server, token);
        return setup(server, token);
      }),
    "signIn 401 wrong_credentials": () => trySignIn(site, `${unique("no")}@example.com`, WRONG),
    "signIn 403 code_required": async () => people.signInAgain((await memberWithFactor()).email),
    "signIn 403 account_disabled": () =>
      signInOf((_, id) => owner("PUT", "/api/accounts", { id, disabled: true })),
    "endSessions 404 not_found": asMember("DELETE", "/auth/sessions", { id: NOBODY }),
    "changeEmail 401 wrong_credentials": asMember("PUT", "/auth/email", {
      ...{ ...wrongPassword, email: "new@example.com" },
    }),
    "changeEmail 409 conflict": asMember("PUT", "/auth/email", {
      ...{ currentPassword: PASSWORD, email: administrator.ADMIN_EMAIL },
    }),
    "changePassword 401 wrong_credentials": asMember("PUT", "/auth/password", {
      ...{ ...wrongPassword, newPassword: "an even longer one" },
    }),
    "enableSecondFactor 401 wrong_credentials": asMember("POST", "/auth/second-factor", {
      ...{ ...wrongPassword, secret: SECRET, code: "000000" },
    }),
    "enableSecondFactor 409 conflict": async () =>
      (await memberWithFactor()).as("POST", "/auth/second-factor", {
        ...{ currentPassword: PASSWORD, secret: SECRET, code: codeAfter(1) },
      }),
    "disableSecondFactor 401 wrong_credentials": withFactor("DELETE", "/auth/second-factor"),
    "renewRecoveryCodes 401 wrong_credentials": withFactor(
      "PUT",
      "/auth/second-factor/recovery-codes",
    ),
    "preparePasskey 401 wrong_credentials": asMember(
      "POST",
      "/auth/passkeys/options",
      wrongPassword,
    ),
    "preparePasskey 403 code_required": withFactor("POST", "/auth/passkeys/options", {
      code: undefined,
    }),
    "connectIdentity 401 wrong_credentials": asMember("POST", "/auth/oidc/connect", wrongPassword),
    "connectIdentity 403 code_required": withFactor("POST", "/auth/oidc/connect", {
      code: undefined,
    }),
    "connectIdentity 404 not_found": async () => {
      const server = await plain();
      return fromPage(server, "POST", "/auth/oidc/connect", await signIn(server), ADA);
    },
    "connectIdentity 503 provider_unavailable": async () => {
      const server = await silent();
      return fromPage(server, "POST", "/auth/oidc/connect", await signIn(server), ADA);
    },
    "beginOidc 503 provider_unavailable": async () => send(await silent(), "GET", "/auth/oidc"),
    "beginInvitation 503 provider_unavailable": async () => {
      const server = await silent();
      const token = await (await peopleOn(server)).invite([]);
      return fromPage(server, "POST", "/auth/oidc/invitation", "", { token });
    },
    "beginOidc 404 not_found": async () => send(await plain(), "GET", "/auth/oidc"),
    "beginInvitation 404 not_found": async () =>
      fromPage(await plain(), "POST", "/auth/oidc/invitation", "", { token: "x" }),
    "signInWithOidc 404 not_found": async () =>
      send(await plain(), "GET", "/auth/oidc/callback?code=x&state=x"),
    "changeAccount 409 last_owner": async () =>
      owner("PUT", "/api/accounts", { id: await adminId(), role: "member" }),
    "removeAccount 409 last_owner": async () =>
      owner("DELETE", "/api/accounts", { id: await adminId() }),
    "createAccount 409 conflict": () =>
      owner("POST", "/api/accounts", { email: administrator.ADMIN_EMAIL }),
    "createInvite 404 not_found": () =>
      owner("POST", "/api/accounts/invite", { grants: [{ folderId: NOBODY, actions: ["list"] }] }),
    "acceptInvite 409 conflict": async () =>
      people.accept(await people.invite([]), administrator.ADMIN_EMAIL),
    "acceptInvite 410 gone": () => people.accept("x".repeat(43), "x@example.com"),
    "readInvite 410 gone": () =>
      fromPage(site, "POST", "/auth/invite/check", "", { token: "x".repeat(43) }),
    async "createGrant 409 conflict"() {
      const { id } = await member();
      const { id: folderId } = await a.folder(unique("failure"));
      return last(101, async (at) => {
        const folder = await a.folder(`${unique("failure")}-${at}`);
        return owner("POST", "/api/grants", {
          ...{ accountId: id, folderId: at === 0 ? folderId : folder.id, actions: ["list"] },
        });
      });
    },
    "createInvite 409 conflict": async () => {
      const full = await start({ RATE_LIMIT_API: "0", RATE_LIMIT_SESSION: "0" });
      const cookie = await signIn(full);
      return last(1001, () => fromPage(full, "POST", "/api/accounts/invite", cookie, {}));
    },

    "createKey 404 not_found": () =>
      a.json("POST", "/api/keys", { name: unique("key"), folder: unique("no") }),
    "createLink 400 invalid_lifetime": async () => {
      const { id } = await a.folder(unique("failure"));
      return a.json("POST", "/api/links", { folderId: id, kind: "drop", ...TWO_ENDS });
    },
    "changeLink 400 invalid_lifetime": async () =>
      a.json("PUT", "/api/links", { id: await newLink(), ...TWO_ENDS }),
    "changeLink 409 conflict": async () =>
      a.json("PUT", "/api/links", { id: await revokedLink(), uses: 3 }),
    "revokeLink 409 conflict": async () =>
      a.json("DELETE", "/api/links", { id: await revokedLink() }),
    "createWebhook 404 not_found": () =>
      a.json("POST", "/api/webhooks", {
        ...{ name: unique("hook"), url: NOWHERE, folder: unique("no") },
      }),
    async "createWebhook 409 conflict"() {
      const full = api(await start({ RATE_LIMIT_API: "0" }));
      const hook = { name: "hook", url: NOWHERE };
      return last(1001, () => full.json("POST", "/api/webhooks", hook));
    },
    async "testWebhook 409 conflict"() {
      const other = await start({});
      const hook = { name: "hook", url: NOWHERE };
      const { text } = await api(other).json("POST", "/api/webhooks", hook);
      await other.restart({ AUTH_SECRET: "another secret that is long enough for it" });
      return api(other).json("POST", "/api/webhooks/test", {
        id: JSON.parse(text).data.webhook.id,
      });
    },
    async "rotateKey 409 conflict"() {
      const { text } = await a.json("POST", "/api/keys", { name: unique("key"), expiresIn: 1 });
      const { key, secret } = JSON.parse(text).data;
      const probe = () => a.get("/api/files?limit=0", { "API-Key": secret });
      await eventually("it has expired", async () => (await probe()).status === 401);
      return a.json("POST", "/api/keys/rotate", { id: key.id });
    },
    async "addPasskey 409 conflict"() {
      const { as } = await member();
      return last(50, () => addPasskey(as));
    },
    "signInWithPasskey 401 wrong_credentials": twice(operations.signInWithPasskey),
    async "signInWithPasskey 403 account_disabled"() {
      const { id, as } = await member();
      const device = createSoftwareAuthenticator(site.url);
      await addPasskey(as, device);
      await owner("PUT", "/api/accounts", { id, disabled: true });
      const asked = await fromPage(site, "POST", "/auth/sign-in/passkey/options", "");
      const response = device.get(JSON.parse(asked.text).data.options);
      return fromPage(site, "POST", "/auth/sign-in/passkey", "", { response });
    },
  };
}
