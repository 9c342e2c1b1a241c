import { afterAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { api, send, unique } from "./client.ts";
import { expectData, expectFault } from "./expectations.ts";
import { codeOf, grantData, PASSWORD, peopleOn, startPeopleServer } from "./people.fixture.ts";
import { ALL } from "./people-uses.fixture.ts";
import { administrator } from "./session.ts";
import { filesData, newKeyData } from "./shapes.ts";

const server = await startPeopleServer();
afterAll(() => server.discard());
const people = await peopleOn(server);
const { owner, member, folder } = people;

const linkData = z.object({ link: z.object({ id: z.string(), url: z.string().nullable() }) });
const signedData = z.object({ url: z.string(), expiresAt: z.string() });
const keysOf = async (answer: Promise<Awaited<ReturnType<typeof send>>>) =>
  expectData(await answer, filesData).files.map(({ key }) => key);

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
