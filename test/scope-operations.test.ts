import { afterAll, describe, expect, test } from "bun:test";
import { grantActions } from "../contract/bodies/accounts.ts";
import { type KeyAction, keyActions } from "../contract/key-actions.ts";
import { type Operation, successStatus } from "../contract/operation.ts";
import { operations } from "../contract/operations.ts";
import { api, type HeaderPairs, send, unique } from "./client.ts";
import { expectData } from "./expectations.ts";
import { startServer } from "./harness.ts";
import type { HttpResponse } from "./http-response.ts";
import type { Call } from "./operation-calls.ts";
import { peopleOn } from "./people.fixture.ts";
import { createTarget, missingTarget, scopedRequests, type Target } from "./scope-requests.ts";
import { administrator } from "./session.ts";
import { newKeyData } from "./shapes.ts";
import { isOnDisk } from "./test-stores.ts";

/*
 * Every operation of the contract, with keys and members of every set of actions that matters, inside a folder and
 * outside. What is expected follows from the permission that the operation declares.
 */

const server = await startServer({
  ...administrator,
  RATE_LIMIT_API: "0",
  RATE_LIMIT_HOSTING: "0",
  KEEP_VERSIONS: "true",
  FETCH_BY_KEYS: "true",
});
afterAll(() => server.discard());
const a = api(server);

const base = unique("scopes");
/* Two siblings begin with the key of the folder. */
const FOLDER = `${base}/a`;
const OUTSIDE = [`${base}/ab`, `${base}/a0`, `${base}/other`];
const outside = await Promise.all(OUTSIDE.map((key) => createTarget(server, key)));
const missing = missingTarget(`${base}/nowhere`);
let inside = await createTarget(server, FOLDER);

/** The headers that authenticate a caller with these actions in the folder. Default: everywhere. */
type HeadersFor = (actions: readonly KeyAction[], folder?: string) => Promise<HeaderPairs>;

async function createKey(actions: readonly KeyAction[], folder?: string): Promise<string> {
  const body = { name: unique("key"), actions, folder };
  return expectData(await a.json("POST", "/api/keys", body), newKeyData).secret;
}

const methodOf = (id: string): string =>
  Object.values<Operation>(operations).find((each) => each.id === id)?.method ?? "";

function statusOf(id: string): number {
  const operation = Object.values<Operation>(operations).find((each) => each.id === id);
  return operation === undefined ? 0 : successStatus(operation);
}

function request(id: string, { path, body, contentType }: Call, caller: HeaderPairs) {
  const type = contentType === undefined ? {} : { "Content-Type": contentType };
  return send(server, methodOf(id), path, { ...type, ...caller }, body);
}

/** A response as received, apart from its time and what it echoes of the request. */
function bytesOf({ status, headers, text }: HttpResponse, target: Target): string {
  const lines = headers
    .filter(([name]) => name !== "date" && name !== "x-request-id")
    .map((pair) => pair.join(": "));
  let body = text;
  const echoes = Object.values<string>({ ...target }).toSorted(
    (one, two) => two.length - one.length,
  );
  for (const echo of echoes) body = body.replaceAll(echo, "…");
  return [`${status}`, ...lines, "", body].join("\n");
}

const ids = Object.keys(scopedRequests) as (keyof typeof scopedRequests)[];
const byKeys = [
  ...["listLinks", "changeLink", "revokeLink"],
  ...["listWebhooks", "changeWebhook", "deleteWebhook", "testWebhook"],
  ...["changeGrant", "removeGrant"],
  ...["replayWebhook", "rotateWebhook", "listDeliveries"],
  ...[
    "listKeys",
    "keyTraffic",
    "createKey",
    "revealS3Credentials",
    "renameKey",
    "rotateKey",
    "revokeKey",
  ],
];

test("the table has every operation that API keys may call", () => {
  const callable = Object.values<Operation>(operations).filter(({ access }) =>
    /caller|reader/.test(access),
  );
  expect([...ids, ...byKeys].toSorted()).toEqual(callable.map(({ id }) => id).toSorted());
});

test.each(ids)("the requests of %s cover the places that it declares", (id) => {
  const { permission } = operations[id];
  const places: readonly string[] = typeof permission === "string" ? ["any"] : permission.places;
  const covered = new Set<string>(scopedRequests[id].map(({ place }) => place));
  expect([...covered].toSorted()).toEqual(places.toSorted());
});

/**
 * The sets of actions to try: none that helps, each alone, exactly those needed, and all. Each alone only with
 * everything in the data folder: a missing action is refused before the catalog is asked.
 */
function actionSets(needed: readonly KeyAction[]): KeyAction[][] {
  const useless = keyActions.filter((action) => action !== "admin" && !needed.includes(action));
  const single = isOnDisk ? keyActions.map((action) => [action]) : [];
  const sets = [useless, ...single, [...needed], [...keyActions]];
  return sets.filter((set) => set.length > 0);
}

const secrets = new Map<string, Promise<string>>();
const keyWith: HeadersFor = async (actions, folder) => {
  const name = `${folder} ${actions}`;
  const secret = secrets.get(name) ?? createKey(actions, folder);
  secrets.set(name, secret);
  return { "API-Key": await secret };
};

/* Members: one with spaces in the folder and elsewhere, which it names, and one whose only space is everything. */
const people = await peopleOn(server);
const elsewhere = await people.folder();
const rootId = (await a.browse("")).folder.id;
const inFolder = await people.member([
  { folderId: inside.folderId, actions: ["list"] },
  { folderId: elsewhere.id, actions: ["list"] },
]);
const everywhere = await people.member([{ folderId: rootId, actions: ["list"] }]);

const memberWith: HeadersFor = async (actions, folder) => {
  const person = folder === undefined ? everywhere : inFolder;
  const [space] = await people.spacesOf(person);
  const id = space?.id ?? "";
  await people.owner("PUT", "/api/grants", { id, actions });
  const named = folder === undefined ? {} : { "Holdall-Space": id };
  return { Cookie: person.cookie, Origin: server.url, ...named };
};

const isGrantable = (action: KeyAction): boolean =>
  grantActions.some((granted) => granted === action);

const suffices = (actions: readonly KeyAction[], needed: readonly KeyAction[]): boolean =>
  actions.includes("admin") ||
  needed.every(
    (action) => actions.includes(action) || (action === "discard" && actions.includes("delete")),
  );

const requests = ids.flatMap((id) =>
  scopedRequests[id].map((each, index) => ({ id, name: `${id} ${index + 1}`, ...each })),
);

const ways = [
  { way: "a key", callerWith: keyWith, isMember: false },
  { way: "a member", callerWith: memberWith, isMember: true },
];
const cases = requests.flatMap((each) => ways.map((way) => ({ ...each, ...way })));

describe.each(cases)("$name by $way about $place", ({ id, place, call, callerWith, ...row }) => {
  const { permission } = operations[id];
  const declared: readonly KeyAction[] = typeof permission === "string" ? [] : permission.actions;
  const needed = row.needed ?? declared;
  const sets = actionSets(needed).flatMap((set) => {
    const granted = row.isMember ? set.filter(isGrantable) : set;
    return granted.length > 0 ? [granted] : [];
  });
  /** Members see their own activity, whatever their grants. */
  const mayCall = (actions: readonly KeyAction[]): boolean =>
    suffices(actions, needed) || (row.isMember && id === "listActivity");

  /** A private file looks missing at its hosting URL when the key lacks the action. */
  const refusal = id === "hostFile" ? 404 : 403;

  test.each(sets.map((actions) => [actions]))("inside the folder with %p", async (actions) => {
    const caller = await callerWith(actions, FOLDER);
    const answer = await request(id, call(inside, inside), caller);
    const allowed = place !== "instance" && mayCall(actions);
    expect([answer.status, answer.text]).toEqual([allowed ? statusOf(id) : refusal, answer.text]);
    if (refusal === 403 && !allowed && place !== "instance") {
      const lacking = needed.filter((action) => !actions.includes(action));
      expect(lacking.some((action) => answer.text.includes(`\`${action}\``))).toBe(true);
    }
    if (allowed && place === "results" && row.isBare === undefined) expectCut(answer);
    // Some requests change or delete what is inside.
    if (allowed && methodOf(id) !== "GET") inside = await createTarget(server, FOLDER);
  });

  if (place === "subject" || place === "destination") {
    test.each(sets.map((actions) => [actions]))("outside with %p", async (actions) => {
      const caller = await callerWith(actions, FOLDER);
      const before = await stateOutside();
      const absent = await request(id, call(missing, inside), caller);
      const status = row.refusesFirst && !suffices(actions, needed) ? 403 : 404;
      expect([absent.status, absent.text]).toEqual([status, absent.text]);
      for (const target of outside) {
        const hidden = await request(id, call(target, inside), caller);
        expect(bytesOf(hidden, target)).toBe(bytesOf(absent, missing));
      }
      expect(await stateOutside()).toEqual(before);
    });
  }

  test.each(sets.map((actions) => [actions]))("without a folder with %p", async (actions) => {
    const caller = await callerWith(actions);
    const answer = await request(id, call(inside, inside), caller);
    const allowed = mayCall(actions);
    expect([answer.status, answer.text]).toEqual([allowed ? statusOf(id) : refusal, answer.text]);
    if (allowed && methodOf(id) !== "GET") inside = await createTarget(server, FOLDER);
  });
});

/** The response shows nothing outside the folder. */
function expectCut({ text }: HttpResponse): void {
  for (const key of OUTSIDE) expect(text).not.toContain(key);
}

/** Everything outside the folder, with its times. */
const stateOutside = async () =>
  (await a.list("?name=note.txt&orderBy=name")).filter(({ key }) => !key.startsWith(`${FOLDER}/`));
