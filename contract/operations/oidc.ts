import { z } from "zod";
import {
  beginInvitationBody,
  beginOidcQuery,
  connectIdentityBody,
  disconnectIdentityBody,
} from "../bodies/oidc.ts";
import { defineOperation, forSessions } from "../define-operation.ts";
import { identityObject } from "../objects/account.ts";

const providerPage = z.object({
  url: z.string().meta({
    description: "The provider's page.",
    example: "https://id.example.com/authorize?client_id=holdall",
  }),
});
const toProvider = { Location: "The provider's page, where the person signs in." };

/** Signing in with an OpenID Connect provider. */
export const oidcOperations = {
  beginOidc: defineOperation({
    id: "beginOidc",
    method: "GET",
    path: "/auth/oidc",
    tag: "Account",
    summary: "Sign in with the provider",
    description:
      "A page that a browser opens. Sends it to the OpenID Connect provider of `OIDC_ISSUER`, from where it comes back to `GET /auth/oidc/callback` within ten minutes.",
    access: "anyone",
    permission: "none",
    budget: "api",
    query: beginOidcQuery,
    response: { empty: 303, headers: toProvider },
    codes: ["provider_unavailable"],
    errors: { 404: "The server has no provider." },
    audit: null,
    example: { query: { to: "/files/photos" }, sdk: `location.assign("/auth/oidc");` },
  }),
  beginInvitation: defineOperation({
    id: "beginInvitation",
    method: "POST",
    path: "/auth/oidc/invitation",
    tag: "Account",
    summary: "Accept an invitation with the provider",
    description:
      "Open `url` in the same browser within ten minutes. Whoever signs in at the provider there gets an account with the role and the grants of the invitation.",
    access: "anyone",
    permission: "none",
    budget: "api",
    body: { json: beginInvitationBody },
    response: { data: providerPage },
    codes: ["provider_unavailable"],
    errors: { 404: "The server has no provider." },
    audit: null,
    example: {
      body: { token: "TOKEN" },
      sdk: `import { identitiesOf } from "@holdall/sdk/people";

location.assign(await identitiesOf(holdall).beginInvitation({ token }));`,
    },
  }),
  signInWithOidc: defineOperation({
    id: "signInWithOidc",
    method: "GET",
    path: "/auth/oidc/callback",
    tag: "Account",
    ignoresUnknown: true,
    summary: "Come back from the provider",
    description:
      "The redirect URI to enter at the provider. Sets the session cookie, or connects the provider with the account for which the browser began that. An account is found by the provider's `sub`, never by an email address. Repeated failures get 429.",
    access: "anyone",
    permission: "none",
    budget: "api",
    response: { empty: 303, headers: { Location: "The page that the person wanted to open." } },
    codes: [
      "sign_in_expired",
      "invalid_token",
      "provider_refused",
      "not_admitted",
      "account_disabled",
      "email_taken",
      "identity_taken",
      "provider_unavailable",
    ],
    errors: {
      400: "The browser has begun no sign-in, or more than ten minutes ago.",
      401: "The provider has not signed the person in, or its answer is not valid.",
      403: "The person has no account and no invitation, or the account is disabled.",
      404: "The server has no provider.",
      409: "Another account has the email address of the person, or is connected with the person.",
      410: "The invitation was used, was removed, or has expired.",
    },
    audit: {},
    example: { sdk: `location.assign("/auth/oidc");` },
  }),
  connectIdentity: defineOperation({
    id: "connectIdentity",
    method: "POST",
    path: "/auth/oidc/connect",
    tag: "Account",
    summary: "Connect the account with the provider",
    description:
      "Open `url` in the same browser within ten minutes. Whoever signs in at the provider there signs in to this account from then on, without its password and a code.",
    ...forSessions,
    body: { json: connectIdentityBody },
    response: { data: providerPage },
    codes: ["wrong_credentials", "code_required", "provider_unavailable"],
    errors: {
      401: "The current password or the code is wrong, or the code was used before.",
      403: "The password is right, and the account needs a code.",
      404: "The server has no provider.",
    },
    audit: { ignores: (status) => status === 403 },
    example: {
      body: { currentPassword: "correct horse battery" },
      sdk: `import { identitiesOf } from "@holdall/sdk/people";

location.assign(
  await identitiesOf(holdall).connectIdentity({ currentPassword }),
);`,
    },
  }),
  identities: defineOperation({
    id: "identities",
    method: "GET",
    path: "/auth/identities",
    tag: "Account",
    summary: "List what the account is connected with",
    description: "Accounts at a provider that sign in to this one.",
    ...forSessions,
    response: { data: z.object({ identities: z.array(identityObject) }) },
    errors: {},
    audit: null,
    example: {
      sdk: `import { identitiesOf } from "@holdall/sdk/people";

const identities = await identitiesOf(holdall).identities();`,
    },
  }),
  disconnectIdentity: defineOperation({
    id: "disconnectIdentity",
    method: "DELETE",
    path: "/auth/identities",
    tag: "Account",
    summary: "Disconnect the account from one at a provider",
    description: "It signs in no more. Sessions that it has started stay.",
    ...forSessions,
    body: { json: disconnectIdentityBody },
    response: { data: z.object({}) },
    errors: {
      404: "The account is not connected with it.",
      409: "Nothing else signs in to the account.",
    },
    audit: {},
    example: {
      body: { issuer: "https://id.example.com", subject: "248289761001" },
      sdk: `import { identitiesOf } from "@holdall/sdk/people";

await identitiesOf(holdall).disconnectIdentity(identity);`,
    },
  }),
};
