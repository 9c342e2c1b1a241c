import { afterAll, describe, expect, test } from "bun:test";
import { once } from "node:events";
import { z } from "zod";
import { api, send, unique } from "./client.ts";
import { eventually, expectData, expectFault, untilAfter } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { codeOf, grantData, PASSWORD, peopleOn } from "./people.fixture.ts";
import { ALL, ENDED, makeEverything, WORKING } from "./people-uses.fixture.ts";
import { openRaw } from "./raw.ts";
import { administrator, cookieOf, fromPage } from "./session.ts";
import { accountData, filesData, newKeyData, whoData } from "./shapes.ts";

const server = await startServer({
  ...administrator,
  RATE_LIMIT_API: "0",
  RATE_LIMIT_HOSTING: "0",
  RATE_LIMIT_S3: "0",
});
afterAll(() => server.discard());
const a = api(server);
const people = await peopleOn(server);
const { owner, member, folder } = people;

const linkData = z.object({ link: z.object({ id: z.string(), url: z.string().nullable() }) });
const signedData = z.object({ url: z.string(), expiresAt: z.string() });

const keysOf = async (answer: Promise<Awaited<ReturnType<typeof send>>>) =>
  expectData(await answer, filesData).files.map(({ key }) => key);

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

describe("an invitation", () => {
  test("creates one account with its role and grants", async () => {
    const space = await folder();
    const token = await people.invite([{ folderId: space.id, actions: ["list", "read"] }]);
    const check = await fromPage(server, "POST", "/auth/invite/check", "", { token });
    expect(JSON.parse(check.text).data.invite).toMatchObject({
      role: "member",
      invitedBy: administrator.ADMIN_EMAIL,
    });
    const email = `${unique("grace")}@example.com`;
    const answer = await people.accept(token, email);
    const cookie = cookieOf(answer);
    const who = expectData(await fromPage(server, "GET", "/auth/session", cookie), whoData);
    expect(who).toMatchObject({
      account: { email, role: "member" },
      spaces: [{ folder: { id: space.id, key: space.key }, actions: ["list", "read"] }],
    });
    for (const late of [
      await people.accept(token, `${unique("late")}@example.com`),
      await fromPage(server, "POST", "/auth/invite/check", "", { token }),
    ]) {
      expect(codeOf(late)).toBe("410 gone");
    }
  });

  test("is accepted by one of several at once", async () => {
    const token = await people.invite([]);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => people.accept(token, `${unique("race")}@example.com`)),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 410, 410, 410, 410, 410]);
  });

  test("stays open when the address has an account, or the password is weak", async () => {
    const token = await people.invite([]);
    expect(codeOf(await people.accept(token, administrator.ADMIN_EMAIL))).toBe("409 conflict");
    const body = { token, email: "weak@example.com", password: "password123" };
    expectFault(await fromPage(server, "POST", "/auth/invite", "", body), 400, /password/i);
    expect((await people.accept(token, `${unique("kept")}@example.com`)).status).toBe(200);
  });

  test("can be withdrawn, and leaves out grants whose folder was destroyed", async () => {
    const token = await people.invite([]);
    const { invites } = JSON.parse((await owner("GET", "/api/accounts/invite")).text).data;
    expect(JSON.stringify(invites)).not.toContain(token);
    const remove = () => owner("DELETE", "/api/accounts/invite", { id: invites[0].id });
    expect((await remove()).status).toBe(200);
    expect((await remove()).status).toBe(404);
    expect(codeOf(await people.accept(token, "late@example.com"))).toBe("410 gone");

    const space = await folder();
    const open = await people.invite([{ folderId: space.id, actions: ALL }]);
    await a.json("DELETE", "/api/folders", { id: space.id });
    const cookie = cookieOf(await people.accept(open, `${unique("none")}@example.com`));
    const who = await fromPage(server, "GET", "/auth/session", cookie);
    expect(expectData(who, whoData).spaces).toEqual([]);
  });

  test.each([
    [{ role: "admin" }, /role/],
    [{ expiresIn: 1 }, /expiresIn/],
    [{ expiresIn: 1e9 }, /expiresIn/],
    [{ grants: [{ folder: "/", actions: ["admin"] }] }, /actions/],
    [{ grants: [{ folder: "/", actions: ["keys"] }] }, /actions/],
    [{ grants: [{ folder: "/", actions: [] }] }, /actions/],
    [{ grants: [{ actions: ["list"] }] }, /folder/],
    [{ grants: [{ folder: "/", folderId: "x", actions: ["list"] }] }, /folder/],
    [{ role: "owner", grants: [{ folder: "/", actions: ["list"] }] }, /Owners/],
    [{ roles: "member" }, /roles/],
  ])("is not made with %p", async (body, message) => {
    expectFault(await owner("POST", "/api/accounts/invite", body), 400, message);
  });
});

describe("a member", () => {
  test("without a grant sees that, and nothing else", async () => {
    const { as } = await member();
    for (const [method, path, body] of [
      ["GET", "/api/files"],
      ["GET", "/api/folders"],
      ["GET", "/api/trash"],
      ["GET", "/api/keys"],
      ["GET", "/api/changes"],
      ["POST", "/api/folders", { folder: "x" }],
    ] as const) {
      expect(codeOf(await as(method, path, body))).toBe("403 no_grant");
    }
    expect((await as("GET", "/auth/sessions")).status).toBe(200);
  });

  test("with one grant works in its folder, without naming it", async () => {
    const [mine, other] = [await folder(), await folder()];
    const { as } = await member([{ folderId: mine.id, actions: ["list", "read"] }]);
    expect(await keysOf(as("GET", "/api/files"))).toEqual([mine.file.key]);
    expect((await as("GET", `/api/files/download/${mine.file.id}`)).text).toBe("note");
    expect((await as("GET", `/api/files/download/${other.file.id}`)).status).toBe(404);
    const write = await as("POST", "/api/folders", { folder: `${mine.key}/x` });
    expect(codeOf(write)).toBe("403 forbidden");
    expect((await as("GET", "/api/settings")).status).toBe(403);
    expect((await as("GET", "/api/grants")).status).toBe(403);
  });

  test("with several names one, in a header or in the query", async () => {
    const [one, two, foreign] = [await folder(), await folder(), await folder()];
    const person = await member([
      { folderId: one.id, actions: ALL },
      { folderId: two.id, actions: ["list"] },
    ]);
    const other = await member([{ folderId: foreign.id, actions: ALL }]);
    const [first, second] = await people.spacesOf(person);
    const [theirs] = await people.spacesOf(other);
    const list = (headers: Record<string, string>, query = "") =>
      person.as("GET", `/api/files${query}`, undefined, headers);
    const unnamed = await list({});
    expect(codeOf(unnamed)).toBe("400 space_required");
    expect(JSON.parse(unnamed.text).error.details.spaces).toEqual([first?.id, second?.id]);
    expect(await keysOf(list({ "Holdall-Space": first?.id ?? "" }))).toEqual([one.file.key]);
    expect(await keysOf(list({}, `?space=${second?.id}`))).toEqual([two.file.key]);
    for (const wrong of ["x", "", theirs?.id ?? ""]) {
      expect(codeOf(await list({ "Holdall-Space": wrong }))).toBe("403 unknown_space");
    }
    // Own operations refuse unknown parameters, and this is none.
    const keys = await person.as("GET", `/api/keys?space=${first?.id}`);
    expect(keys.status).toBe(200);
  });

  test("opens private files at hosting URLs by any of its grants", async () => {
    const [one, two, three] = [await folder(), await folder(), await folder()];
    const person = await member([
      { folderId: one.id, actions: ["read"] },
      { folderId: two.id, actions: ["list"] },
      { folderId: three.id, actions: ["list", "read"] },
    ]);
    const statuses = [];
    for (const { file } of [one, two, three, await folder()]) {
      statuses.push((await person.as("GET", `/${file.url}`)).status);
    }
    expect(statuses).toEqual([200, 404, 200, 404]);
  });

  test("opens them whatever other grants do not reach", async () => {
    const space = await folder();
    const inner = await api(server).put(`${space.key}/in/note.txt`, "n", { visibility: "private" });
    const { as } = await member([
      { folderId: inner.folderId, actions: ["list"] },
      { folderId: space.id, actions: ["read"] },
    ]);
    expect((await as("GET", `/${inner.url}`)).status).toBe(200);
    expect((await as("GET", `/${space.file.url}`)).status).toBe(200);
    expect((await as("GET", `/${space.file.url}2`)).status).toBe(404);
  });

  test("of a group has the grants of the group only through the provider", async () => {
    const space = await folder();
    const body = { group: "design", folderId: space.id, actions: ["list"] };
    expectData(await owner("POST", "/api/grants", body), grantData);
    const { as } = await member();
    expect(codeOf(await as("GET", "/api/files"))).toBe("403 no_grant");
  });

  test("gets signed URLs for an hour at most", async () => {
    const space = await folder();
    const { as } = await member([{ folderId: space.id, actions: ALL }]);
    const body = { id: space.file.id, expiresIn: 100_000 };
    const { url, expiresAt } = expectData(await as("POST", "/api/files/sign", body), signedData);
    const seconds = (Date.parse(expiresAt) - Date.now()) / 1000;
    expect(seconds).toBeGreaterThan(3590);
    expect(seconds).toBeLessThanOrEqual(3600);
    expect((await send(server, "GET", `/${url}`)).text).toBe("note");
    const made = expectData(await as("POST", "/api/keys", { name: unique("key") }), newKeyData);
    const byKey = api({ ...server, apiKey: made.secret });
    const { expiresAt: end } = expectData(
      await byKey.json("POST", "/api/folders/sign", { id: space.id, expiresIn: 100_000 }),
      signedData,
    );
    expect(Date.parse(end) - Date.now()).toBeLessThanOrEqual(3_600_000);
  });

  test("sees and changes only keys, links and activity of its own", async () => {
    const space = await folder();
    const grants = [{ folderId: space.id, actions: ALL }];
    const [one, two] = [await member(grants), await member(grants)];
    const made = await one.as("POST", "/api/keys", { name: "mine" });
    const { key } = expectData(made, newKeyData);
    expect(key).toMatchObject({ actions: ALL, folder: { id: space.id } });
    const shared = await one.as("POST", "/api/links", { fileId: space.file.id });
    const { link } = expectData(shared, linkData);
    const ids = async (of: typeof one, path: string, list: string) =>
      JSON.parse((await of.as("GET", path)).text).data[list].map(({ id }: { id: string }) => id);
    expect(await ids(one, "/api/keys", "keys")).toEqual([key.id]);
    expect(await ids(one, "/api/links", "links")).toEqual([link.id]);
    expect(await ids(two, "/api/keys", "keys")).toEqual([]);
    expect(await ids(two, "/api/links", "links")).toEqual([]);
    for (const [method, path, body] of [
      ["PUT", "/api/keys", { id: key.id, name: "theirs" }],
      ["DELETE", "/api/keys", { id: key.id }],
      ["POST", "/api/keys/rotate", { id: key.id }],
      ["POST", "/api/keys/s3", { id: key.id }],
      ["PUT", "/api/links", { id: link.id, title: "theirs" }],
      ["DELETE", "/api/links", { id: link.id }],
    ] as const) {
      expect((await two.as(method, path, body)).status).toBe(404);
    }
    const keys = JSON.parse((await owner("GET", "/api/keys")).text).data.keys;
    expect(keys.map(({ id }: { id: string }) => id)).toContain(key.id);
    const { activity } = JSON.parse((await one.as("GET", "/api/activity")).text).data;
    expect(activity.every(({ actor }: { actor: { id: string } }) => actor.id === one.id)).toBe(
      true,
    );
    expect((await one.as("GET", `/api/activity?actor=${two.id}`)).status).toBe(403);
    expect((await one.as("GET", `/api/activity?actor=${key.id}`)).status).toBe(200);
  });

  test("does not take the address of another account", async () => {
    const { as } = await member();
    const email = administrator.ADMIN_EMAIL.toUpperCase();
    const answer = await as("PUT", "/auth/email", { email, currentPassword: PASSWORD });
    expect(codeOf(answer)).toBe("409 conflict");
  });

  test("undoes nothing that somebody else has done", async () => {
    const space = await folder();
    const { as } = await member([{ folderId: space.id, actions: ALL }]);
    const since = new Date(Date.now() - 60_000).toISOString();
    const answer = await as("POST", "/api/undo", { by: "administrator", since });
    expectFault(answer, 403, /^You may not do that: it needs the action `admin`/);
  });

  test("creates no key with more rights than its grant, or outside", async () => {
    const [space, other] = [await folder(), await folder()];
    const { as } = await member([{ folderId: space.id, actions: ["list", "read"] }]);
    for (const [body, status] of [
      [{ actions: ["write"] }, 403],
      [{ actions: ["admin"] }, 403],
      [{ actions: ["keys"] }, 403],
      [{ folderId: other.id }, 404],
      [{ folder: other.key }, 404],
    ] as const) {
      expect((await as("POST", "/api/keys", { name: "more", ...body })).status).toBe(status);
    }
    const webhook = { name: "hook", url: "https://example.com" };
    expect((await as("POST", "/api/webhooks", webhook)).status).toBe(403);
  });
});

describe("what a member has made", () => {
  const everything = () => makeEverything(server, people);

  test("ends at once when the account is disabled, and works again when it is enabled", async () => {
    const { person, statuses } = await everything();
    expect(await statuses()).toEqual(WORKING);
    const set = (disabled: boolean) => owner("PUT", "/api/accounts", { id: person.id, disabled });
    expect((await set(true)).status).toBe(200);
    expect(await statuses()).toEqual(ENDED);
    expect(codeOf(await people.signInAgain(person.email))).toBe("403 account_disabled");
    expect((await set(false)).status).toBe(200);
    // Sessions are gone for good.
    expect(await statuses()).toEqual({ ...WORKING, session: 401, hosting: 404 });
    expect((await people.signInAgain(person.email)).status).toBe(200);
  });

  test("ends at once when the account is removed", async () => {
    const { person, key, statuses } = await everything();
    const answer = await owner("DELETE", "/api/accounts", { id: person.id });
    expect(JSON.parse(answer.text).data.deleted).toEqual([person.id, key.id]);
    expect(await statuses()).toEqual(ENDED);
    expect((await people.signInAgain(person.email)).status).toBe(401);
    expect((await owner("DELETE", "/api/accounts", { id: person.id })).status).toBe(404);
  });

  test("reaches nothing when the grant is removed, though the session stays", async () => {
    const { grant, person, statuses } = await everything();
    expect((await owner("DELETE", "/api/grants", { id: grant?.id })).status).toBe(200);
    expect(await statuses()).toEqual({ ...ENDED, session: 403 });
    expect((await person.as("GET", "/auth/session")).status).toBe(200);
  });

  test("loses the actions that the grant loses", async () => {
    const { grant, statuses } = await everything();
    const change = (actions: readonly string[]) =>
      owner("PUT", "/api/grants", { id: grant?.id, actions });
    await change(["list", "read"]);
    expect(await statuses()).toEqual({ ...WORKING, link: 404, drop: 404, upload: 404 });
    await change(["list"]);
    expect(await statuses()).toMatchObject({ session: 200, key: 200, s3: 403, hosting: 404 });
    await change(ALL);
    expect(await statuses()).toEqual(WORKING);
  });

  test("follows the folder, rests while it is in the trash, and ends with it", async () => {
    const { space, person, statuses } = await everything();
    const parent = await folder();
    const name = unique("moved");
    await a.json("PUT", "/api/folders", { id: space.id, name, parentId: parent.id });
    const [moved] = await people.spacesOf(person);
    expect(moved?.folder.key).toBe(`${parent.key}/${name}`);
    expect(await keysOf(person.as("GET", "/api/files"))).toEqual([
      `${parent.key}/${name}/note.txt`,
    ]);
    expect(await statuses()).toMatchObject({ key: 200, link: 200, drop: 200 });

    const trashed = await a.json("DELETE", "/api/folders", { id: space.id, trash: true });
    const { undoId } = JSON.parse(trashed.text).data;
    expect(await keysOf(person.as("GET", "/api/files"))).toEqual([]);
    expect((await people.spacesOf(person))[0]?.folder).toEqual({ id: space.id, key: null });
    expect(await statuses()).toMatchObject({ link: 404, drop: 404, upload: 404, hosting: 404 });
    expect((await a.json("POST", "/api/trash/restore", { undoId })).status).toBe(200);
    expect(await keysOf(person.as("GET", "/api/files"))).toEqual([
      `${parent.key}/${name}/note.txt`,
    ]);

    await a.json("DELETE", "/api/folders", { id: space.id, trash: false });
    expect(await people.spacesOf(person)).toEqual([]);
    expect(codeOf(await person.as("GET", "/api/files"))).toBe("403 no_grant");
    expect(await statuses()).toMatchObject({ key: 401, link: 404, drop: 404 });
  });

  test("of a former owner reaches what its grants allow", async () => {
    const space = await folder();
    const person = await member([], { role: "owner" });
    const made = async (body: object) =>
      expectData(await person.as("POST", "/api/keys", { name: unique("key"), ...body }), newKeyData)
        .secret;
    const [free, inFolder] = [await made({}), await made({ folderId: space.id })];
    const use = async (secret: string) =>
      (await send(server, "GET", "/api/files", { "API-Key": secret })).status;
    expect([await use(free), await use(inFolder)]).toEqual([200, 200]);
    await owner("PUT", "/api/accounts", { id: person.id, role: "member" });
    expect([await use(free), await use(inFolder)]).toEqual([401, 401]);
    await people.grant(person.id, space.id, ["list"]);
    expect([await use(free), await use(inFolder)]).toEqual([401, 200]);
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

describe("a request that runs", () => {
  test("stores nothing when the grant loses its action meanwhile", async () => {
    const space = await folder();
    const person = await member([{ folderId: space.id, actions: ALL }]);
    const [grant] = await people.spacesOf(person);
    const key = `${space.key}/${unique("late")}.txt`;
    let lost = Promise.resolve();
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode("first"));
        await untilAfter(Date.now() + 200);
        const change = { id: grant?.id, actions: ["list", "read"] };
        lost = owner("PUT", "/api/grants", change).then(() => undefined);
        await lost;
        controller.enqueue(new TextEncoder().encode("last"));
        controller.close();
      },
    });
    const answer = await fetch(`${server.url}/api/files/content?key=${encodeURIComponent(key)}`, {
      method: "PUT",
      headers: { Cookie: person.cookie, Origin: server.url },
      body,
    });
    await lost;
    expect([answer.status, await answer.text()]).toEqual([401, expect.stringContaining("unauth")]);
    expect((await a.get(`/api/files?key=${encodeURIComponent(key)}`)).status).toBe(404);
  });

  test("of a ZIP is sent to its end when the account is disabled, with nothing that came later", async () => {
    const space = await folder();
    const size = 24_000_000;
    await a.put(`${space.key}/large.bin`, new Uint8Array(size));
    const person = await member([{ folderId: space.id, actions: ALL }]);
    const path = `/api/folders/download?key=${space.key}`;
    const { socket, send: sendText } = await openRaw(server.port);
    const received: Buffer[] = [];
    const hasBegun = new Promise<void>((resolve) => {
      socket.removeAllListeners("data").on("data", (chunk: Buffer) => {
        received.push(chunk);
        resolve();
      });
    });
    const headers = `Host: localhost\r\nCookie: ${person.cookie}\r\nConnection: close\r\n`;
    sendText(`GET ${path} HTTP/1.1\r\n${headers}\r\n`);
    await hasBegun;
    // The server waits: the buffers between hold a part of it.
    socket.pause();
    await owner("PUT", "/api/accounts", { id: person.id, disabled: true });
    expect((await person.as("GET", path)).status).toBe(401);
    await a.put(`${space.key}/zz-later.txt`);
    const closed = once(socket, "close");
    socket.resume();
    await closed;
    const all = Buffer.concat(received);
    expect(all.length).toBeGreaterThan(size);
    const last = all.subarray(-1000).toString("latin1");
    expect(last).toContain("large.bin");
    expect(last).toContain("PK\x05\x06");
    expect(last).not.toContain("zz-later.txt");
  });

  test("of the change feed ends when the account is disabled", async () => {
    const space = await folder();
    const person = await member([{ folderId: space.id, actions: ALL }]);
    const answer = await fetch(`${server.url}/api/changes`, {
      headers: { Cookie: person.cookie, Accept: "text/event-stream" },
    });
    expect(answer.status).toBe(200);
    await owner("PUT", "/api/accounts", { id: person.id, disabled: true });
    await a.put(`${space.key}/after.txt`);
    // It ends, and says nothing of what came after.
    expect(await answer.text()).not.toContain("after.txt");
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
