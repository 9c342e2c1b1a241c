import { z } from "zod";
import type { AuditSubject } from "../audit.ts";
import {
  changeEmailBody,
  changePasswordBody,
  endSessionsBody,
  setupBody,
  signInBody,
} from "../bodies/account.ts";
import { defineOperation, forSessions } from "../define-operation.ts";
import { accountObject, sessionObject, spaceObject } from "../objects/account.ts";
import { oidcOperations } from "./oidc.ts";
import { passkeyOperations, signedIn } from "./passkeys.ts";
import { secondFactorOperations } from "./second-factor.ts";

const accountData = z.object({ account: accountObject });

/** The administrator's account and sessions. */
export const accountOperations = {
  setup: defineOperation({
    id: "setup",
    method: "POST",
    path: "/auth/setup",
    tag: "Account",
    summary: "Create the administrator's account",
    description:
      "Takes the token from the setup link that the server prints on its first start. The response sets the session cookie, so the administrator is signed in.",
    access: "anyone",
    permission: "none",
    budget: "api",
    body: { json: setupBody },
    response: { data: accountData },
    codes: ["wrong_credentials"],
    errors: {
      400: "The email address is invalid, or the password is too short or one of the first that attackers try.",
      401: "The token is wrong or has already been used.",
      409: "The account already exists.",
    },
    audit: {
      before: ({ email }) => ({ subject: claimedAccount(email) }),
      after: ({ account }) => signedIn(account),
    },
    example: {
      body: { token: "TOKEN", email: "ada@example.com", password: "correct horse battery" },
      curl: [{ options: ["-c session.txt"] }],
      sdk: `await holdall.account.setup({
  token,
  email,
  password,
});`,
    },
  }),
  signIn: defineOperation({
    id: "signIn",
    method: "POST",
    path: "/auth/sign-in",
    tag: "Account",
    summary: "Sign in",
    description:
      "The response sets the session cookie. With two-step sign-in, a request with the right password and no `code` gets 403; send it again with the code. Repeated failures get 429.",
    access: "anyone",
    permission: "none",
    budget: "api",
    body: { json: signInBody },
    response: { data: accountData },
    codes: ["wrong_credentials", "code_required", "account_disabled", "password_sign_in_off"],
    errors: {
      401: "The email address, the password or the code is wrong.",
      403: "The password is right, and the account needs a code, or is disabled. Or: `PASSWORD_SIGN_IN` is `false`.",
    },
    audit: {
      ignores: (_, code) => code === "code_required",
      before: ({ email }) => ({ subject: claimedAccount(email) }),
      after: ({ account }) => signedIn(account),
    },
    example: {
      body: { email: "ada@example.com", password: "correct horse battery" },
      curl: [{ options: ["-c session.txt"] }],
      sdk: `const account = await holdall.account.signIn({
  email,
  password,
});`,
    },
  }),
  signOut: defineOperation({
    id: "signOut",
    method: "POST",
    path: "/auth/sign-out",
    tag: "Account",
    summary: "Sign out",
    description: "Ends the session.",
    ...forSessions,
    response: {
      data: z.object({
        url: z.string().nullable().meta({
          description:
            "The provider's page that signs out there, too, if the session began with the provider; `null`: there is none.",
          example: null,
        }),
      }),
    },
    errors: {},
    audit: {},
    example: { sdk: `await holdall.account.signOut();` },
  }),
  whoAmI: defineOperation({
    id: "whoAmI",
    method: "GET",
    path: "/auth/session",
    tag: "Account",
    summary: "Show the signed-in account",
    description: "For pages that want to know whether the browser is signed in.",
    ...forSessions,
    response: {
      data: z.object({
        account: accountObject,
        session: sessionObject,
        spaces: z.array(spaceObject).meta({
          description:
            "Where a member may work. A request of a member of several names one in the header `Holdall-Space`, or in the query as `space`. Empty for owners, who work everywhere, and for members without grants, who work nowhere.",
        }),
        hasOthers: z.boolean().meta({
          description:
            "For owners: true if there is another account, an open invitation or a grant. Members get false.",
          example: false,
        }),
        needsSecondFactor: z.boolean().meta({
          description:
            "True while `requireSecondFactor` is on and the session has no second factor: it can only turn two-step sign-in on, or add a passkey.",
          example: false,
        }),
      }),
    },
    errors: {},
    audit: null,
    example: {
      sdk: `const { account, session } =
  await holdall.account.whoAmI();`,
    },
  }),
  setupState: defineOperation({
    id: "setupState",
    method: "GET",
    path: "/auth/setup",
    tag: "Account",
    summary: "Check whether the administrator's account exists",
    description: "For the sign-in page: until the account exists, it offers to create it.",
    access: "anyone",
    permission: "none",
    budget: "api",
    response: {
      data: z.object({
        needed: z.boolean().meta({ description: "True until the account has been created." }),
        passwordSignIn: z.boolean().meta({ description: "Whether a password signs in." }),
        provider: z.string().nullable().meta({
          description: "Name of the provider that signs in at `/auth/oidc`; `null`: there is none.",
          example: "id.example.com",
        }),
      }),
    },
    errors: {},
    audit: null,
    example: { sdk: `const { needed } = await holdall.account.setupState();` },
  }),
  listSessions: defineOperation({
    id: "listSessions",
    method: "GET",
    path: "/auth/sessions",
    tag: "Account",
    summary: "List the account's sessions",
    description: "Every browser that is signed in; the one of the request is marked.",
    ...forSessions,
    response: { data: z.object({ sessions: z.array(sessionObject) }) },
    errors: {},
    audit: null,
    example: { sdk: `const sessions = await holdall.account.sessions();` },
  }),
  endSessions: defineOperation({
    id: "endSessions",
    method: "DELETE",
    path: "/auth/sessions",
    tag: "Account",
    summary: "End one session, or all other sessions",
    description: "A browser whose session has ended must sign in again.",
    ...forSessions,
    body: { json: endSessionsBody },
    response: {
      data: z.object({
        ended: z.int().min(0).meta({ description: "Number of sessions that ended.", example: 2 }),
      }),
    },
    errors: {
      400: "Neither or both of `id` and `others` are given.",
      404: "The session does not exist.",
    },
    audit: {
      before: ({ id }) =>
        id === undefined ? {} : { subject: { kind: "session", id, name: null } },
      after: ({ ended }) => ({ detail: { ended } }),
    },
    example: {
      body: { others: true },
      sdk: `await holdall.account.endSession(session.id);
await holdall.account.endOtherSessions();`,
    },
  }),
  changeEmail: defineOperation({
    id: "changeEmail",
    method: "PUT",
    path: "/auth/email",
    tag: "Account",
    summary: "Change the email address",
    description: "Use the new address for the next sign-in. Sessions remain valid.",
    ...forSessions,
    body: { json: changeEmailBody },
    response: { data: accountData },
    codes: ["wrong_credentials"],
    errors: {
      400: "The email address is invalid.",
      401: "The current password is wrong.",
      409: "Another account has this email address.",
    },
    audit: { before: ({ email }) => ({ subject: claimedAccount(email) }) },
    example: {
      body: { email: "ada@example.org", currentPassword: "correct horse battery" },
      sdk: `const account = await holdall.account.changeEmail({
  email: "ada@example.org",
  currentPassword,
});`,
    },
  }),
  changePassword: defineOperation({
    id: "changePassword",
    method: "PUT",
    path: "/auth/password",
    tag: "Account",
    summary: "Change the password",
    description:
      "Ends every session of the account. The response sets a new session cookie for the caller.",
    ...forSessions,
    body: { json: changePasswordBody },
    response: { data: accountData },
    codes: ["wrong_credentials"],
    errors: {
      400: "The new password is too short, or one of the first that attackers try.",
      401: "The current password is wrong.",
    },
    audit: {},
    example: {
      body: { currentPassword: "correct horse battery", newPassword: "an even longer one" },
      curl: [{ options: ["-c session.txt"] }],
      sdk: `await holdall.account.changePassword({
  currentPassword,
  newPassword,
});`,
    },
  }),
  ...secondFactorOperations,
  ...passkeyOperations,
  ...oidcOperations,
};

/**
 * The account that the request names. Text that is not an email address is left out: it may be a
 * password typed into the wrong field.
 */
function claimedAccount(email: string): AuditSubject {
  const address = email.trim().toLowerCase();
  const isAddress = address.length <= 254 && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(address);
  return { kind: "account", id: null, name: isAddress ? address : null };
}
