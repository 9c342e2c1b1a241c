import { afterAll, describe, expect, test } from "bun:test";
import { api, send, unique } from "./client.ts";
import { expectData } from "./expectations.ts";
import { codeOf, peopleOn, startPeopleServer } from "./people.fixture.ts";
import { ALL, ENDED, makeEverything, WORKING } from "./people-uses.fixture.ts";
import { filesData, newKeyData } from "./shapes.ts";

const server = await startPeopleServer();
afterAll(() => server.discard());
const a = api(server);
const people = await peopleOn(server);
const { owner, member, folder } = people;

const keysOf = async (answer: Promise<Awaited<ReturnType<typeof send>>>) =>
  expectData(await answer, filesData).files.map(({ key }) => key);

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
