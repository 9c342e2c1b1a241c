import { expect, test } from "bun:test";
import { actions } from "../../../../contract/activity.ts";
import { ACTION_GROUPS } from "./action-groups.ts";

test("every action is in one group; those of the account are left", () => {
  const grouped = ACTION_GROUPS.flatMap((group) => group.actions);
  expect(grouped.toSorted()).toEqual(actions.toSorted());
  expect(ACTION_GROUPS.at(-1)?.actions).toContain("signIn");
  for (const action of ACTION_GROUPS.at(-1)?.actions ?? []) {
    expect(action).toMatch(
      /^(?:setup|sign|end|change(?:Email|Pass)|.*(?:Factor|Codes|Passkey|Password|Identity))/,
    );
  }
});
