import { z } from "zod";
import { givenFields } from "../audit.ts";
import {
  acceptInviteBody,
  changeAccountBody,
  createAccountBody,
  createInviteBody,
  readInviteBody,
  removeAccountBody,
  removeInviteBody,
  resetAccountBody,
} from "../bodies/accounts.ts";
import { defineOperation, forSessions } from "../define-operation.ts";
import { EXAMPLE_FOLDER_ID, EXAMPLE_ID } from "../example.ts";
import { accountObject, inviteObject, listedAccount } from "../objects/account.ts";
import { signedIn } from "./passkeys.ts";

const NOT_OWNER = "The account is not an owner.";
const LAST_OWNER = "The account is the only owner that is not disabled.";
const SDK = 'import { peopleOf } from "@holdall/sdk/people";\n\n';

const shownPassword = z.string().nullable().meta({
  description: "The random password, which cannot be read again. `null`: none was made.",
  example: "kT3mQx9fLw2Zp8RbVn4c",
});

/** The accounts of the instance, for owners. */
export const accountsOperations = {
  listAccounts: defineOperation({
    id: "listAccounts",
    method: "GET",
    path: "/api/accounts",
    tag: "People",
    summary: "List accounts",
    description: "Lists all accounts, oldest first. For sessions of owners.",
    ...forSessions,
    response: { data: z.object({ accounts: z.array(listedAccount) }) },
    errors: { 403: NOT_OWNER },
    audit: null,
    example: { sdk: `${SDK}const accounts = await peopleOf(holdall).accounts();` },
  }),
  createAccount: defineOperation({
    id: "createAccount",
    method: "POST",
    path: "/api/accounts",
    tag: "People",
    summary: "Create an account",
    description:
      "Invite people instead where you can: then nobody else knows their password. For sessions of owners.",
    ...forSessions,
    body: { json: createAccountBody },
    response: { data: z.object({ account: listedAccount, password: shownPassword }) },
    errors: {
      400: "The email address is invalid, or the password is too short or one of the first that attackers try.",
      403: NOT_OWNER,
      409: "Another account has this email address.",
    },
    audit: {
      before: ({ email, role = "member" }) => ({
        subject: { kind: "account", id: null, name: email },
        detail: { role },
      }),
      after: ({ account: { id, email } }) => ({ subject: { kind: "account", id, name: email } }),
    },
    example: {
      body: { email: "grace@example.com", role: "member" },
      sdk: `${SDK}const { account, password } = await peopleOf(holdall).createAccount({
  email: "grace@example.com",
});`,
    },
  }),
  changeAccount: defineOperation({
    id: "changeAccount",
    method: "PUT",
    path: "/api/accounts",
    tag: "People",
    summary: "Change the role of an account, disable or enable it",
    description:
      "A disabled account cannot sign in. Its sessions end at once; its API keys, links and upload URLs are refused until it is enabled. For sessions of owners.",
    ...forSessions,
    body: { json: changeAccountBody },
    response: { data: z.object({ account: listedAccount }) },
    codes: ["last_owner"],
    errors: {
      400: "Neither `role` nor `disabled` is given.",
      403: NOT_OWNER,
      404: "The account does not exist.",
      409: LAST_OWNER,
    },
    audit: {
      before: ({ id, role, disabled }) => ({
        subject: { kind: "account", id },
        detail: givenFields({ role, disabled }),
      }),
      after: ({ account: { id, email } }) => ({ subject: { kind: "account", id, name: email } }),
    },
    example: {
      body: { id: EXAMPLE_ID, disabled: true },
      sdk: `${SDK}await peopleOf(holdall).changeAccount(account.id, { disabled: true });`,
    },
  }),
  removeAccount: defineOperation({
    id: "removeAccount",
    method: "DELETE",
    path: "/api/accounts",
    tag: "People",
    summary: "Remove an account",
    description:
      "Its sessions, API keys, links and open uploads end at once. Files stay. For sessions of owners.",
    ...forSessions,
    body: { json: removeAccountBody },
    response: {
      data: z.object({
        deleted: z.array(z.string()).meta({
          description: "The id of the account, then those of its API keys.",
          example: [EXAMPLE_ID],
        }),
        account: accountObject,
      }),
    },
    codes: ["last_owner"],
    errors: { 403: NOT_OWNER, 404: "The account does not exist.", 409: LAST_OWNER },
    audit: {
      before: ({ id }) => ({ subject: { kind: "account", id } }),
      after: ({ account: { id, email }, deleted }) => ({
        subject: { kind: "account", id, name: email },
        detail: { keys: deleted.length - 1 },
      }),
    },
    example: {
      body: { id: EXAMPLE_ID },
      sdk: `${SDK}await peopleOf(holdall).removeAccount(account.id);`,
    },
  }),
  resetAccount: defineOperation({
    id: "resetAccount",
    method: "POST",
    path: "/api/accounts/reset",
    tag: "People",
    summary: "Reset the password or the second factor of an account",
    description:
      "For somebody who has lost them. Nobody can read a password or a second factor. For sessions of owners, and other accounts than their own.",
    ...forSessions,
    body: { json: resetAccountBody },
    response: { data: z.object({ account: accountObject, password: shownPassword }) },
    errors: {
      400: "Neither `password` nor `secondFactor` is given, or the account is the caller's own.",
      403: NOT_OWNER,
      404: "The account does not exist.",
    },
    audit: {
      before: ({ id, password, secondFactor }) => ({
        subject: { kind: "account", id },
        detail: givenFields({ password, secondFactor }),
      }),
      after: ({ account: { id, email } }) => ({ subject: { kind: "account", id, name: email } }),
    },
    example: {
      body: { id: EXAMPLE_ID, password: true },
      sdk: `${SDK}const { password } = await peopleOf(holdall).resetAccount(account.id, {
  password: true,
});`,
    },
  }),
};

/** Invitations: links that create one account each. */
export const inviteOperations = {
  listInvites: defineOperation({
    id: "listInvites",
    method: "GET",
    path: "/api/accounts/invite",
    tag: "People",
    summary: "List open invitations",
    description: "Newest first. For sessions of owners.",
    ...forSessions,
    response: { data: z.object({ invites: z.array(inviteObject) }) },
    errors: { 403: NOT_OWNER },
    audit: null,
    example: { sdk: `${SDK}const invites = await peopleOf(holdall).invites();` },
  }),
  createInvite: defineOperation({
    id: "createInvite",
    method: "POST",
    path: "/api/accounts/invite",
    tag: "People",
    summary: "Invite somebody",
    description:
      "Whoever opens the link first creates an account with the role and the grants of the invitation. The link cannot be read again. Send it yourself: Holdall sends no mail. For sessions of owners.",
    ...forSessions,
    body: { json: createInviteBody },
    response: {
      data: z.object({
        invite: inviteObject,
        url: z.string().meta({
          description: "The link, relative to the base URL.",
          example: "invite#4fTqV0Zc…",
        }),
      }),
    },
    errors: {
      400: "A grant has not exactly one of `folderId` and `folder`, or an owner is to get grants.",
      403: NOT_OWNER,
      404: "A folder does not exist.",
      409: "There are too many open invitations.",
    },
    audit: {
      before: ({ role = "member", grants = [] }) => ({ detail: { role, grants: grants.length } }),
    },
    example: {
      body: { grants: [{ folderId: EXAMPLE_FOLDER_ID, actions: ["list", "read", "write"] }] },
      sdk: `${SDK}const { url } = await peopleOf(holdall).invite({
  grants: [{ folder: "photos", actions: ["list", "read", "write"] }],
});`,
    },
  }),
  removeInvite: defineOperation({
    id: "removeInvite",
    method: "DELETE",
    path: "/api/accounts/invite",
    tag: "People",
    summary: "Withdraw an invitation",
    description: "The link stops working at once. For sessions of owners.",
    ...forSessions,
    body: { json: removeInviteBody },
    response: { data: z.object({ deleted: z.array(z.string()).meta({ example: [EXAMPLE_ID] }) }) },
    errors: { 403: NOT_OWNER, 404: "The invitation does not exist, or was accepted." },
    audit: {},
    example: {
      body: { id: EXAMPLE_ID },
      sdk: `${SDK}await peopleOf(holdall).removeInvite(invite.id);`,
    },
  }),
  readInvite: defineOperation({
    id: "readInvite",
    method: "POST",
    path: "/auth/invite/check",
    tag: "Account",
    summary: "Check an invitation",
    description: "For the page of the link: shows who invites, and until when.",
    access: "anyone",
    permission: "none",
    budget: "api",
    body: { json: readInviteBody },
    response: {
      data: z.object({
        invite: inviteObject.pick({ role: true, invitedBy: true, expiresAt: true }),
      }),
    },
    errors: { 410: "The invitation was accepted or withdrawn, or it has expired." },
    audit: null,
    example: {
      body: { token: "TOKEN" },
      sdk: `${SDK}const { role } = await peopleOf(holdall).readInvite(token);`,
    },
  }),
  acceptInvite: defineOperation({
    id: "acceptInvite",
    method: "POST",
    path: "/auth/invite",
    tag: "Account",
    summary: "Accept an invitation",
    description:
      "Creates the account with the given email address and password. The response sets the session cookie.",
    access: "anyone",
    permission: "none",
    budget: "api",
    body: { json: acceptInviteBody },
    response: { data: z.object({ account: accountObject }) },
    codes: ["password_sign_in_off"],
    errors: {
      400: "The email address is invalid, or the password is too short or one of the first that attackers try.",
      403: "`PASSWORD_SIGN_IN` is `false`: accept it with the provider.",
      409: "Another account has this email address. The invitation stays open.",
      410: "The invitation was accepted or withdrawn, or it has expired.",
    },
    audit: {
      before: ({ email }) => ({ subject: { kind: "account", id: null, name: email } }),
      after: ({ account }) => signedIn(account),
    },
    example: {
      body: { token: "TOKEN", email: "grace@example.com", password: "correct horse battery" },
      curl: [{ options: ["-c session.txt"] }],
      sdk: `${SDK}const account = await peopleOf(holdall).acceptInvite({
  token,
  email,
  password,
});`,
    },
  }),
};
