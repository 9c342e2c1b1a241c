import { afterAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { grantActions } from "../contract/bodies/accounts.ts";
import { type KeyAction, keyActions } from "../contract/key-actions.ts";
import { linkObject } from "../contract/objects/links.ts";
import { linkOperations } from "../server/links/link-operations.ts";
import { api, type HeaderPairs, send, unique } from "./client.ts";
import { expectData, expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { field, filePart, multipart } from "./multipart.ts";
import { peopleOn } from "./people.fixture.ts";
import { administrator } from "./session.ts";
import { newKeyData } from "./shapes.ts";

/*
 * Visits of links whose makers have each action, in every folder that matters. The expected status follows from the
 * permissions of `linkOperations`. An operation without a case does not compile.
 */

const server = await startServer({ ...administrator, RATE_LIMIT_API: "0", RATE_LIMIT_LINKS: "0" });
afterAll(() => server.discard());
const people = await peopleOn(server);
const space = await people.folder();
const elsewhere = await people.folder(`${space.key}0`);

interface LinkCase {
  /** The fields of a new link that name its file or folder. */
  readonly subject: (place: typeof space) => Readonly<Record<string, string>>;
  /** Visits the link. Resolves with the status of the response. */
  readonly visit: (url: string) => Promise<number>;
}

const get = async (path: string): Promise<number> => (await send(server, "GET", path)).status;

const cases: Readonly<Record<keyof typeof linkOperations, LinkCase>> = {
  readFile: {
    subject: ({ file }) => ({ fileId: file.id }),
    visit: (url) => get(`/${url}/note.txt`),
  },
  readFolder: {
    subject: ({ id }) => ({ folderId: id }),
    visit: (url) => get(`/${url}/note.txt`),
  },
  sendFiles: {
    subject: ({ id }) => ({ folderId: id, kind: "drop" }),
    async visit(url) {
      const { contentType, bytes } = multipart([
        field("name", unique("sender")),
        filePart("sent.txt", "x"),
      ]);
      return (await send(server, "POST", `/${url}`, { "Content-Type": contentType }, bytes)).status;
    },
  },
};

const linkData = z.strictObject({ link: linkObject });
const rows = Object.entries(linkOperations).map(([name, { permission }]) => ({
  name,
  needed: ["share", ...permission.actions] as KeyAction[],
  ...cases[name as keyof typeof cases],
}));

const json = { "Content-Type": "application/json" };
const create = (by: HeaderPairs, body: object) =>
  send(server, "POST", "/api/links", { ...json, ...by }, JSON.stringify(body));

async function keyWith(actions: readonly KeyAction[], folder?: string): Promise<HeaderPairs> {
  const made = await api(server).json("POST", "/api/keys", {
    name: unique("key"),
    actions,
    folder,
  });
  return { "API-Key": expectData(made, newKeyData).secret };
}

describe.each(rows)("$name", ({ needed, subject, visit }) => {
  const sets = [
    keyActions.filter((action) => action !== "admin" && !needed.includes(action)),
    ...keyActions.map((action): KeyAction[] => [action]),
    ...needed.map((lacking) => keyActions.filter((each) => each !== lacking && each !== "admin")),
    needed,
    [...keyActions],
  ];
  const suffices = (given: readonly KeyAction[]): boolean =>
    given.includes("admin") || needed.every((action) => given.includes(action));

  test("opens to visitors what an API key may do that made the link", async () => {
    for (const set of sets) {
      for (const folder of [undefined, space.key]) {
        const answer = await create(await keyWith(set, folder), subject(space));
        if (suffices(set)) {
          const { link } = expectData(answer, linkData);
          expect([200, 201]).toContain(await visit(link.url ?? ""));
        } else {
          const lacking = needed.filter((action) => !set.includes(action));
          expectFault(answer, 403, new RegExp(`\`(${lacking.join("|")})\``));
        }
      }
    }
  });

  test("is for nothing outside the folder of a key", async () => {
    for (const set of sets) {
      expectFault(await create(await keyWith(set, space.key), subject(elsewhere)), 404);
    }
  });

  test("opens to visitors what a member may do now who made the link", async () => {
    const person = await people.member([{ folderId: space.id, actions: [...grantActions] }]);
    const id = (await people.spacesOf(person))[0]?.id ?? "";
    const { link } = expectData(await person.as("POST", "/api/links", subject(space)), linkData);
    for (const set of sets) {
      const granted = set.filter((action) => grantActions.some((each) => each === action));
      if (granted.length === 0) continue;
      await people.owner("PUT", "/api/grants", { id, actions: granted });
      const status = await visit(link.url ?? "");
      expect([granted, status]).toEqual([granted, suffices(granted) ? status : 404]);
      if (suffices(granted)) expect([200, 201]).toContain(status);
    }
  });
});
