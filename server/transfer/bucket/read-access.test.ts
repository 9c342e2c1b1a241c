import { expect, test } from "bun:test";
import { readAccess } from "./read-access.ts";

const OWNER = "<ID>owner</ID>";
const EVERYONE = "<URI>http://acs.amazonaws.com/groups/global/AllUsers</URI>";
const ACCOUNTS = "<URI>http://acs.amazonaws.com/groups/global/AuthenticatedUsers</URI>";

const aclOf = (...grants: readonly (readonly [grantee: string, permission: string])[]): string =>
  `<AccessControlPolicy><Owner>${OWNER}</Owner><AccessControlList>${grants
    .map(
      ([grantee, permission]) =>
        `<Grant><Grantee>${grantee}</Grantee><Permission>${permission}</Permission></Grant>`,
    )
    .join("")}</AccessControlList></AccessControlPolicy>`;

test.each([
  [[], false, 0],
  [[[EVERYONE, "READ"]], true, 0],
  [
    [
      [EVERYONE, "READ"],
      [EVERYONE, "WRITE"],
    ],
    true,
    1,
  ],
  [[[EVERYONE, "FULL_CONTROL"]], true, 1],
  [[[EVERYONE, "READ_ACP"]], false, 1],
  [[[ACCOUNTS, "READ"]], false, 1],
  [
    [
      ["<ID>another</ID>", "READ"],
      [ACCOUNTS, "READ"],
    ],
    false,
    1,
  ],
] as const)("beside the owner, %p is public: %p; losses: %d", (grants, isPublic, count) => {
  const { losses, ...access } = readAccess(aclOf([OWNER, "FULL_CONTROL"], ...grants));
  expect([access.isPublic, losses.length]).toEqual([isPublic, count]);
});

test("an owner without an ID is no other account, as in MinIO", () => {
  const acl = `<AccessControlPolicy><Owner/><AccessControlList><Grant><Grantee/><Permission>FULL_CONTROL</Permission></Grant></AccessControlList></AccessControlPolicy>`;
  expect(readAccess(acl)).toEqual({ isPublic: false, losses: [] });
});
