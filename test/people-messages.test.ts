import { afterAll, describe, expect, test } from "bun:test";
import { api, type Reachable, unique } from "./client.ts";
import { expectData, expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { peopleOn } from "./people.fixture.ts";
import { administrator } from "./session.ts";
import { newKeyData } from "./shapes.ts";

/* Members and API keys are refused for the same reasons, in messages that say who was. */

const server = await startServer({ ...administrator, RATE_LIMIT_API: "0" });
afterAll(() => server.discard());
const people = await peopleOn(server);

/** Sends a request as a member, and as an API key, with these actions in the folder; returns both answers. */
async function asEither(
  folder: { readonly id: string; readonly key: string },
  actions: readonly string[],
  request: readonly [method: string, path: string, body: string | object],
) {
  const made = await api(server).json("POST", "/api/keys", {
    name: unique("key"),
    folder: folder.key,
    actions,
  });
  const key: Reachable = { url: server.url, apiKey: expectData(made, newKeyData).secret };
  const member = await people.member([{ folderId: folder.id, actions }]);
  return {
    byMember: await member.as(...request),
    byKey: await api(key).json(...request),
  };
}

const putOf = (key: string, query = "") =>
  ["PUT", `/api/files/content?key=${key}&onConflict=replace${query}`, "new"] as const;

describe("a refusal names who asked", () => {
  test("who lacks an action", async () => {
    const space = await people.folder();
    const body = { id: space.file.id, trash: false };
    const { byMember, byKey } = await asEither(space, ["list"], ["DELETE", "/api/files", body]);
    expectFault(byMember, 403, /^You may not do that: it needs the action `discard`\.$/);
    expectFault(byKey, 403, /^This API key may not do that: it needs the action `discard`\.$/);
  });

  test("who would move its own folder", async () => {
    const space = await people.folder();
    const body = { id: space.id, name: unique("renamed") };
    const { byMember, byKey } = await asEither(
      space,
      ["list", "write"],
      ["PUT", "/api/folders", body],
    );
    expectFault(byMember, 403, /^You may not rename, move or delete the folder itself/);
    expectFault(byKey, 403, /^This API key may not rename, move or delete the folder itself/);
  });

  test("who would let a file end earlier", async () => {
    const space = await people.folder();
    const { byMember, byKey } = await asEither(
      space,
      ["list", "read", "write", "discard"],
      putOf(`${space.key}/note.txt`, "&expiresIn=60"),
    );
    expectFault(byMember, 403, /^You may not do that: the file would end earlier/);
    expectFault(byKey, 403, /^This API key may not do that: the file would end earlier/);
  });

  test("who would replace what nothing keeps", async () => {
    const space = await people.folder();
    const settings = (trashDays: number) => people.owner("PUT", "/api/settings", { trashDays });
    expect((await settings(0)).status).toBe(200);
    const { byMember, byKey } = await asEither(
      space,
      ["list", "read", "write", "discard"],
      putOf(`${space.key}/note.txt`),
    ).finally(() => settings(30));
    expectFault(byMember, 403, /^You may not replace files: the trash is disabled/);
    expectFault(byKey, 403, /^This API key may not replace files: the trash is disabled/);
  });
});

describe("the cookie of a session lives as long as the session", () => {
  const ageOf = (answer: { header(name: string): string | null }) =>
    /Max-Age=(\d+)/.exec(answer.header("set-cookie") ?? "")?.[1];

  test("of a member for 12 hours", async () => {
    const { email } = await people.member();
    expect(ageOf(await people.signInAgain(email))).toBe("43200");
  });

  test("of an owner for 30 days", async () => {
    const { email } = await people.member([], { role: "owner" });
    expect(ageOf(await people.signInAgain(email))).toBe("2592000");
  });
});
