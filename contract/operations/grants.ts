import { z } from "zod";
import { changeGrantBody, createGrantBody, removeGrantBody } from "../bodies/accounts.ts";
import { defineOperation } from "../define-operation.ts";
import { EXAMPLE_ID } from "../example.ts";
import { grantObject } from "../objects/account.ts";

const SDK = 'import { peopleOf } from "@holdall/sdk/people";\n\n';
const grantData = z.object({ grant: grantObject });
type Grant = z.infer<typeof grantObject>;

const ofGrantee = ({ accountId, group, folder, actions }: Grant) => ({
  subject: { kind: "account" as const, id: accountId, name: group },
  detail: { folder: folder.key, actions: actions.join(", ") },
});

/** Grants: the rights of members in folders. */
export const grantOperations = {
  listGrants: defineOperation({
    id: "listGrants",
    method: "GET",
    path: "/api/grants",
    tag: "People",
    summary: "List grants",
    description: "Lists what members may do in which folders, oldest first.",
    access: "caller",
    permission: { actions: ["admin"], places: ["instance"] },
    budget: "api",
    response: { data: z.object({ grants: z.array(grantObject) }) },
    errors: {},
    audit: null,
    example: { sdk: `${SDK}const grants = await peopleOf(holdall).grants();` },
  }),
  createGrant: defineOperation({
    id: "createGrant",
    method: "POST",
    path: "/api/grants",
    tag: "People",
    summary: "Grant a folder",
    description:
      "Lets a member, or everybody in a group, act on a folder and everything in it. The grant follows the folder when it is renamed or moved, reaches nothing while the folder is in the trash, and ends with it.",
    access: "caller",
    permission: { actions: ["admin"], places: ["instance"] },
    budget: "api",
    body: { json: createGrantBody },
    response: { data: grantData },
    errors: {
      400: "Not exactly one of `accountId` and `group`, or of `folderId` and `folder`, is given, or the account is an owner.",
      404: "The account or the folder does not exist.",
      409: "There are too many grants.",
    },
    audit: {
      before: ({ accountId = null, group, actions }) => ({
        subject: {
          kind: "account",
          id: accountId,
          ...(group === undefined ? {} : { name: group }),
        },
        detail: { actions: actions.join(", ") },
      }),
      after: ({ grant }) => ofGrantee(grant),
    },
    example: {
      body: { accountId: EXAMPLE_ID, folder: "photos", actions: ["list", "read"] },
      sdk: `${SDK}const grant = await peopleOf(holdall).grant({
  accountId: account.id,
  folder: "photos",
  actions: ["list", "read"],
});`,
    },
  }),
  changeGrant: defineOperation({
    id: "changeGrant",
    method: "PUT",
    path: "/api/grants",
    tag: "People",
    summary: "Change the actions of a grant",
    description: "Counts at once, also for API keys, links and upload URLs of its members.",
    access: "caller",
    permission: { actions: ["admin"], places: ["instance"] },
    budget: "api",
    body: { json: changeGrantBody },
    response: { data: grantData },
    errors: { 404: "The grant does not exist." },
    audit: {
      before: ({ actions }) => ({ detail: { actions: actions.join(", ") } }),
      after: ({ grant }) => ofGrantee(grant),
    },
    example: {
      body: { id: EXAMPLE_ID, actions: ["list", "read", "write"] },
      sdk: `${SDK}await peopleOf(holdall).changeGrant(grant.id, ["list", "read", "write"]);`,
    },
  }),
  removeGrant: defineOperation({
    id: "removeGrant",
    method: "DELETE",
    path: "/api/grants",
    tag: "People",
    summary: "Remove a grant",
    description:
      "Its members, and what they have made there, reach nothing of the folder from then on.",
    access: "caller",
    permission: { actions: ["admin"], places: ["instance"] },
    budget: "api",
    body: { json: removeGrantBody },
    response: { data: z.object({ deleted: z.array(z.string()), grant: grantObject }) },
    errors: { 404: "The grant does not exist." },
    audit: { after: ({ grant }) => ofGrantee(grant) },
    example: {
      body: { id: EXAMPLE_ID },
      sdk: `${SDK}await peopleOf(holdall).removeGrant(grant.id);`,
    },
  }),
};
