import { expect, test } from "bun:test";
import { type GrantRecord, newAccount } from "../domain/accounts.ts";
import { parseKey } from "../domain/names/name.ts";
import { type Identity, readerOf } from "./authenticate.ts";
import { BY_PASSWORD } from "./credentials.fixture.ts";
import { membershipOf } from "./people/membership.ts";

const grant = (
  id: string,
  folder: string | null,
  actions: GrantRecord["actions"],
): GrantRecord => ({
  id,
  accountId: "ada",
  group: null,
  folderId: `folder ${id}`,
  folderKey: folder === null ? null : parseKey(folder),
  actions,
  createdAt: 0,
});

function memberWith(...grants: readonly GrantRecord[]): Identity {
  const account = { id: "ada", email: "ada@example.com", passwordHash: "", createdAt: 0 };
  const times = { createdAt: 0, lastSeenAt: 0, expiresAt: 0 };
  return {
    kind: "session",
    account: newAccount({ ...account, role: "member" }),
    session: { id: "s", accountId: "ada", userAgent: "", address: "", ...times, ...BY_PASSWORD },
    membership: membershipOf(grants, null),
  };
}

test("a file is looked up in one grant that is above it and has `read`, however many there are", () => {
  const elsewhere = Array.from({ length: 1000 }, (_, at) => grant(`${at}`, `other${at}`, ["read"]));
  const identity = memberWith(
    ...elsewhere,
    grant("trash", null, ["read"]),
    grant("beside", "a/b2", ["read"]),
    grant("list", "a/b", ["list"]),
    grant("outer", "a", ["read", "list"]),
    grant("inner", "a/b", ["read"]),
  );
  expect(readerOf(identity, parseKey("a/b/c.txt"))?.folderIds).toEqual(["folder outer"]);
  expect(readerOf(identity, parseKey("b/c.txt"))).toBeUndefined();
  expect(
    readerOf({ ...identity, lacksSecondFactor: true } as Identity, parseKey("a/x")),
  ).toBeUndefined();
  expect(readerOf(memberWith(grant("all", "", ["read"])), parseKey("b"))?.folderIds).toEqual([]);
});
