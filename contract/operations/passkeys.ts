import { z } from "zod";
import type { AccountObject, PasskeyObject } from "../api.ts";
import type { AuditDetails } from "../audit.ts";
import {
  addPasskeyBody,
  passkeySignInBody,
  preparePasskeyBody,
  removePasskeyBody,
  renamePasskeyBody,
} from "../bodies/passkeys.ts";
import { defineOperation, forSessions } from "../define-operation.ts";
import { EXAMPLE_ID } from "../example.ts";
import { accountObject } from "../objects/account.ts";
import {
  passkeyCreationOptions,
  passkeyObject,
  passkeyRequestOptions,
} from "../objects/passkeys.ts";

const passkeyData = z.object({ passkey: passkeyObject });
const signed = { id: "hQ3mYJr2Vn8", rawId: "hQ3mYJr2Vn8", type: "public-key" } as const;
const named = ({ passkey: { name } }: { passkey: PasskeyObject }): AuditDetails => ({
  detail: { name },
});

/** Passkeys of the administrator's account (WebAuthn). */
export const passkeyOperations = {
  passkeys: defineOperation({
    id: "passkeys",
    method: "GET",
    path: "/auth/passkeys",
    tag: "Account",
    summary: "List the account's passkeys",
    description: "Passkeys sign in without a password.",
    ...forSessions,
    response: { data: z.object({ passkeys: z.array(passkeyObject) }) },
    errors: {},
    audit: null,
    example: { sdk: `const passkeys = await holdall.account.passkeys();` },
  }),
  preparePasskey: defineOperation({
    id: "preparePasskey",
    method: "POST",
    path: "/auth/passkeys/options",
    tag: "Account",
    summary: "Get what the browser needs to make a passkey",
    description:
      "For `navigator.credentials.create()`. Only the session that sent the password can add the passkey, within five minutes.",
    ...forSessions,
    body: { json: preparePasskeyBody },
    response: { data: z.object({ options: passkeyCreationOptions }) },
    codes: ["wrong_credentials", "code_required"],
    errors: {
      400: "Browsers allow no passkeys for this address: it is an IP address, or has no HTTPS.",
      401: "The current password or the code is wrong, or the code was used before.",
      403: "The password is right, and the account needs a code.",
    },
    audit: { ignores: (status) => status === 200 || status === 403 },
    example: {
      body: { currentPassword: "correct horse battery" },
      sdk: `const options = await holdall.account.preparePasskey({
  currentPassword,
});`,
    },
  }),
  addPasskey: defineOperation({
    id: "addPasskey",
    method: "POST",
    path: "/auth/passkeys",
    tag: "Account",
    summary: "Add a passkey",
    description:
      "Takes the browser's response to the options. From then on, the passkey alone signs in: it needs neither the password nor a code.",
    ...forSessions,
    body: { json: addPasskeyBody },
    response: { data: passkeyData },
    errors: {
      400: "The response is not a passkey for this site, or it took longer than five minutes.",
      409: "The passkey was added before, or the account has 50 already.",
    },
    audit: { after: named },
    example: {
      body: {
        response: {
          ...signed,
          response: {
            clientDataJSON: "eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0",
            attestationObject: "o2NmbXQ",
          },
        },
        name: "Firefox on Linux",
      },
      sdk: `const passkey = await holdall.account.addPasskey({
  response,
  name: "Firefox on Linux",
});`,
    },
  }),
  renamePasskey: defineOperation({
    id: "renamePasskey",
    method: "PUT",
    path: "/auth/passkeys",
    tag: "Account",
    summary: "Rename a passkey",
    description: "The name is only for the person who owns the account.",
    ...forSessions,
    body: { json: renamePasskeyBody },
    response: { data: passkeyData },
    errors: { 404: "The passkey does not exist." },
    audit: { before: ({ name }) => ({ detail: { name } }) },
    example: {
      body: { id: EXAMPLE_ID, name: "Phone" },
      sdk: `await holdall.account.renamePasskey(passkey.id, "Phone");`,
    },
  }),
  removePasskey: defineOperation({
    id: "removePasskey",
    method: "DELETE",
    path: "/auth/passkeys",
    tag: "Account",
    summary: "Remove a passkey",
    description: "It signs in no more. Sessions that it has started stay.",
    ...forSessions,
    body: { json: removePasskeyBody },
    response: { data: passkeyData },
    errors: { 404: "The passkey does not exist." },
    audit: { after: named },
    example: {
      body: { id: EXAMPLE_ID },
      sdk: `await holdall.account.removePasskey(passkey.id);`,
    },
  }),
  passkeySignInOptions: defineOperation({
    id: "passkeySignInOptions",
    method: "POST",
    path: "/auth/sign-in/passkey/options",
    tag: "Account",
    summary: "Get what the browser needs to sign in with a passkey",
    description: "For `navigator.credentials.get()`.",
    access: "anyone",
    permission: "none",
    budget: "api",
    response: {
      data: z.object({
        options: passkeyRequestOptions
          .nullable()
          .meta({ description: "`null`: no passkey works for this host." }),
      }),
    },
    errors: {},
    audit: null,
    example: { sdk: `const options = await holdall.account.passkeySignInOptions();` },
  }),
  signInWithPasskey: defineOperation({
    id: "signInWithPasskey",
    method: "POST",
    path: "/auth/sign-in/passkey",
    tag: "Account",
    summary: "Sign in with a passkey",
    description:
      "Takes the browser's response to the options, and sets the session cookie like signing in with the password. Repeated failures get 429.",
    access: "anyone",
    permission: "none",
    budget: "api",
    body: { json: passkeySignInBody },
    response: { data: z.object({ account: accountObject }) },
    codes: ["wrong_credentials", "account_disabled"],
    errors: {
      400: "It took longer than five minutes, or did not begin at this server.",
      401: "The passkey is unknown, was removed, has not signed this, or signed it before.",
      403: "The account is disabled.",
    },
    audit: { after: ({ account }) => signedIn(account) },
    example: {
      body: {
        response: {
          ...signed,
          response: {
            clientDataJSON: "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0",
            authenticatorData: "SZYN5YgO",
            signature: "MEUCIQ",
            userHandle: "YWRh",
          },
        },
      },
      curl: [{ options: ["-c session.txt"] }],
      sdk: `const account = await holdall.account.signInWithPasskey(response);`,
    },
  }),
};

/** A new sign-in, with the account as the actor and the subject. */
export function signedIn({ id, email }: AccountObject): AuditDetails {
  return {
    actor: { kind: "account", id, name: email },
    subject: { kind: "account", id, name: email },
  };
}
