import { afterAll, expect, test } from "bun:test";
import { createFindScopes } from "../access/find-scopes.ts";
import type { Actor } from "../domain/activity.ts";
import { authorize } from "../domain/callers/authorize.ts";
import { callerWith } from "../domain/callers/caller.ts";
import { parseKey } from "../domain/names/name.ts";
import { createFindCapability } from "../uploads/find-capability.ts";
import { openLinksFixture } from "./links.fixture.ts";
import { createResolveLink } from "./resolve-link.ts";

const GRANTS = 30;
const fixture = await openLinksFixture();
const { catalog, share } = fixture;
afterAll(() => fixture.end());

/** The catalog, which counts what is asked of it about places in the tree. */
function counting() {
  const counts = { lookups: 0 };
  const counted = new Proxy(catalog, {
    get(target, name, receiver) {
      if (name === "fileById" || name === "folderById" || name === "topFolder") counts.lookups += 1;
      return Reflect.get(target, name, receiver);
    },
  });
  return { counted, counts };
}

const member: Actor = { kind: "account", id: "grace", name: "grace@example.org" };
await catalog.addAccount({
  id: "grace",
  email: "grace@example.org",
  passwordHash: "",
  role: "member",
  createdAt: 1,
  disabledAt: null,
  groups: [],
  hasSecondFactor: false,
});
for (let number = 0; number < GRANTS; number += 1) {
  await fixture.put(`bucket/space-${number}/a.txt`, "x");
  await catalog.addGrant({
    id: `grant-${String(number).padStart(2, "0")}`,
    accountId: "grace",
    group: null,
    folder: { key: parseKey(`bucket/space-${number}`) },
    actions: ["list", "read", "write", "share"],
    createdAt: 1,
  });
}
const scopesOf = createFindScopes(catalog);
const last = `bucket/space-${GRANTS - 1}`;

async function inLastSpace() {
  const [scope] = (await scopesOf(member)).slice(-1);
  if (scope === undefined) throw new Error("There is no grant.");
  return callerWith(member, scope);
}

test("a member's link is found with few look-ups, however many grants the member has", async () => {
  const by = { ...(await inLastSpace()), makerIds: ["grace"] };
  for (const path of [last, `${last}/a.txt`]) {
    const { id } = await share(path, {}, by);
    const record = await catalog.linkById(id);
    if (record === undefined) throw new Error("There is no link.");
    const { counted, counts } = counting();
    expect(await createResolveLink({ catalog: counted, scopesOf })(record)).toBeDefined();
    expect(counts.lookups).toBeLessThanOrEqual(2);
  }
});

test("a member's upload is found with few look-ups, however many grants the member has", async () => {
  const wanted = { folder: parseKey(last), size: 1 };
  const { upload } = await fixture.uploads.create(authorize(await inLastSpace(), "write"), wanted);
  const { counted, counts } = counting();
  const caller = await createFindCapability({ catalog: counted, scopesOf }).makerOf(upload);
  expect(caller.scope.actions.has("write")).toBe(true);
  expect(counts.lookups).toBe(1);
});
