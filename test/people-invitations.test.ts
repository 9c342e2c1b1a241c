import { afterAll, describe, expect, test } from "bun:test";
import { api, unique } from "./client.ts";
import { expectData, expectFault } from "./expectations.ts";
import { codeOf, peopleOn, startPeopleServer } from "./people.fixture.ts";
import { ALL } from "./people-uses.fixture.ts";
import { administrator, cookieOf, fromPage } from "./session.ts";
import { whoData } from "./shapes.ts";

const server = await startPeopleServer();
afterAll(() => server.discard());
const a = api(server);
const people = await peopleOn(server);
const { owner, folder } = people;

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
