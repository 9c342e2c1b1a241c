import { afterAll, describe, expect, test } from "bun:test";
import { api, unique } from "./client.ts";
import { eventually, expectData, expectFault } from "./expectations.ts";
import { codeOf, PASSWORD, peopleOn, startPeopleServer } from "./people.fixture.ts";
import { ALL } from "./people-uses.fixture.ts";
import { administrator, fromPage } from "./session.ts";
import { accountData, whoData } from "./shapes.ts";

const server = await startPeopleServer();
afterAll(() => server.discard());
const a = api(server);
const people = await peopleOn(server);
const { owner, member, folder } = people;

describe("an owner", () => {
  test("is who was there before, and has no spaces", async () => {
    const who = expectData(await owner("GET", "/auth/session"), whoData);
    expect(who).toMatchObject({ account: { role: "owner" }, spaces: [], needsSecondFactor: false });
    expect((await people.accounts()).find(({ id }) => id === who.account.id)).toMatchObject({
      role: "owner",
      disabledAt: null,
      hasPassword: true,
    });
  });

  test("needs no space, and may name none", async () => {
    expect((await owner("GET", "/api/files")).status).toBe(200);
    expectFault(await owner("GET", "/api/keys?space=x"), 400, /space/);
  });

  test("creates accounts with a password that is shown once", async () => {
    const email = `${unique("made")}@example.com`;
    const made = JSON.parse((await owner("POST", "/api/accounts", { email })).text).data;
    expect(made).toMatchObject({ account: { email, role: "member" } });
    const signedIn = await fromPage(server, "POST", "/auth/sign-in", "", {
      email,
      password: made.password,
    });
    expect(expectData(signedIn, accountData).account.role).toBe("member");
    expect(codeOf(await owner("POST", "/api/accounts", { email }))).toBe("409 conflict");
    const weak = { email: `${unique("weak")}@example.com`, password: "password123" };
    expectFault(await owner("POST", "/api/accounts", weak), 400, /password/i);
  });

  test("is not an API key with `admin`, and no member", async () => {
    expect(codeOf(await a.get("/api/accounts"))).toBe("401 unauthorized");
    const { as } = await member();
    for (const [method, path, body] of [
      ["GET", "/api/accounts"],
      ["POST", "/api/accounts", { email: "x@example.com" }],
      ["PUT", "/api/accounts", { id: "administrator", role: "member" }],
      ["DELETE", "/api/accounts", { id: "administrator" }],
      ["POST", "/api/accounts/reset", { id: "administrator", password: true }],
      ["GET", "/api/accounts/invite"],
      ["POST", "/api/accounts/invite", {}],
      ["DELETE", "/api/accounts/invite", { id: "x" }],
    ] as const) {
      expect(codeOf(await as(method, path, body))).toBe("403 forbidden");
    }
  });
});

describe("the last owner", () => {
  test("is neither removed, nor disabled, nor made a member, also by two at once", async () => {
    const [self] = await people.accounts();
    const id = self?.id ?? "";
    for (const change of [
      () => owner("PUT", "/api/accounts", { id, role: "member" }),
      () => owner("PUT", "/api/accounts", { id, disabled: true }),
      () => owner("DELETE", "/api/accounts", { id }),
    ]) {
      expect(codeOf(await change())).toBe("409 last_owner");
    }
    const other = await member([], { role: "owner" });
    const answers = await Promise.all([
      other.as("PUT", "/api/accounts", { id, role: "member" }),
      owner("PUT", "/api/accounts", { id: other.id, role: "member" }),
    ]);
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
    const roles = [];
    for (const as of [owner, other.as]) {
      roles.push(expectData(await as("GET", "/auth/session"), whoData).account.role);
    }
    expect(roles.toSorted()).toEqual(["member", "owner"]);
    if (roles[1] === "owner") await other.as("PUT", "/api/accounts", { id, role: "owner" });
    await owner("PUT", "/api/accounts", { id: other.id, role: "member" });
  });
});

describe("what owners send is refused", () => {
  const list = ["list"];
  test.each([
    ["POST", "/api/accounts", { email: "nobody" }, "400 invalid_request"],
    ["POST", "/api/accounts", { email: "a@b.c", role: "admin" }, "400 invalid_request"],
    ["POST", "/api/accounts", { email: "a@b.c", password: "short" }, "400 invalid_request"],
    ["POST", "/api/accounts", { email: "a@b.c", admin: true }, "400 unknown_field"],
    ["PUT", "/api/accounts", { id: "administrator" }, "400 invalid_request"],
    ["PUT", "/api/accounts", { id: "nobody", role: "member" }, "404 not_found"],
    ["PUT", "/api/accounts", { id: "administrator", disabled: "yes" }, "400 invalid_request"],
    ["DELETE", "/api/accounts", {}, "400 invalid_request"],
    ["DELETE", "/api/accounts", { id: "nobody" }, "404 not_found"],
    ["POST", "/api/grants", { folder: "/", actions: list }, "400 invalid_request"],
    ["POST", "/api/grants", { group: "", folder: "/", actions: list }, "400 invalid_request"],
    ["POST", "/api/grants", { group: "a\nb", folder: "/", actions: list }, "400 invalid_request"],
    ["POST", "/api/grants", { group: "g", actions: list }, "400 invalid_request"],
    ["POST", "/api/grants", { group: "g", folder: "", actions: list }, "400 invalid_request"],
    ["POST", "/api/grants", { group: "g", folder: "/", actions: ["keys"] }, "400 invalid_request"],
    ["POST", "/api/grants", { group: "g", folder: "nowhere", actions: list }, "404 not_found"],
    ["POST", "/api/grants", { accountId: "x", folder: "/", actions: list }, "404 not_found"],
    [
      "POST",
      "/api/grants",
      { accountId: "administrator", folder: "/", actions: list },
      "400 invalid_request",
    ],
    [
      "POST",
      "/api/grants",
      { accountId: "x", group: "g", folder: "/", actions: list },
      "400 invalid_request",
    ],
    ["PUT", "/api/grants", { id: "nothing", actions: list }, "404 not_found"],
    ["DELETE", "/api/grants", { id: "nothing" }, "404 not_found"],
    ["DELETE", "/api/accounts/invite", { id: "nothing" }, "404 not_found"],
    ["POST", "/auth/invite/check", { token: "" }, "410 gone"],
    ["POST", "/auth/invite/check", { token: "x".repeat(10_000) }, "410 gone"],
    [
      "POST",
      "/auth/invite",
      { token: "\0", email: "a@b.c", password: "a long enough password" },
      "410 gone",
    ],
  ])("%s %s %j", async (method, path, body, code) => {
    expect(codeOf(await owner(method, path, body))).toBe(code);
  });
});

describe("a reset", () => {
  test("gives a new password and ends the sessions, never of one's own account", async () => {
    const person = await member();
    const reset = (body: object) => owner("POST", "/api/accounts/reset", body);
    const answer = await reset({ id: person.id, password: true, secondFactor: true });
    const { password } = JSON.parse(answer.text).data;
    expect((await person.as("GET", "/auth/session")).status).toBe(401);
    expect((await people.signInAgain(person.email)).status).toBe(401);
    const body = { email: person.email, password };
    expect((await fromPage(server, "POST", "/auth/sign-in", "", body)).status).toBe(200);
    expect(password).not.toBe(PASSWORD);
    expectFault(await reset({ id: person.id }), 400, /secondFactor/);
    expectFault(await reset({ id: "administrator", password: true }), 400, /your own/i);
    expect((await reset({ id: "nobody", password: true })).status).toBe(404);
  });
});

describe("requireSecondFactor", () => {
  test("lets a session without one only set one up", async () => {
    const space = await folder();
    const person = await member([{ folderId: space.id, actions: ALL }]);
    await a.json("PUT", "/api/settings", { requireSecondFactor: true });
    try {
      for (const as of [person.as, owner]) {
        expect(codeOf(await as("GET", "/api/files"))).toBe("403 second_factor_required");
        expect(codeOf(await as("GET", "/auth/sessions"))).toBe("403 second_factor_required");
        const who = expectData(await as("GET", "/auth/session"), whoData);
        expect(who.needsSecondFactor).toBe(true);
        expect((await as("POST", "/auth/second-factor/secret")).status).toBe(200);
      }
      expect(codeOf(await owner("GET", "/api/accounts"))).toBe("403 second_factor_required");
      expect((await person.as("GET", `/${space.file.url}`)).status).toBe(404);
      expect((await a.get("/api/files")).status).toBe(200);
    } finally {
      await a.json("PUT", "/api/settings", { requireSecondFactor: null });
    }
    expect((await person.as("GET", "/api/files")).status).toBe(200);
  });
});

test("every change is in the activity, by who made it", async () => {
  const { id, email } = await member([], { role: "owner" });
  await owner("PUT", "/api/accounts", { id, role: "member" });
  await owner("DELETE", "/api/accounts", { id });
  type Entry = Record<string, string & { name?: string }>;
  const by = administrator.ADMIN_EMAIL;
  await eventually("every entry is written", async () => {
    const { text } = await owner("GET", `/api/activity?subject=${id}&limit=100`);
    const entries: Entry[] = JSON.parse(text).data.activity;
    const shown = entries.map(({ action, actor, subject }) => [action, actor?.name, subject?.name]);
    return Bun.deepEquals(shown, [
      ["removeAccount", by, email],
      ["changeAccount", by, email],
      ["acceptInvite", email, email],
    ]);
  });
});
