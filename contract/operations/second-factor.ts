import { z } from "zod";
import { enableSecondFactorBody, secondFactorBody } from "../bodies/account.ts";
import { defineOperation, forSessions } from "../define-operation.ts";
import { secondFactorObject } from "../objects/account.ts";

const recoveryCodes = z.object({
  recoveryCodes: z.array(z.string()).meta({
    description: "Each signs in once instead of a code. They cannot be read again.",
    example: ["MZXW-6YTB-OI23-4567"],
  }),
});

const wrong = {
  400: "Two-step sign-in is off.",
  401: "The current password or the code is wrong, or the code was used before.",
};

/** Two-step sign-in of the administrator's account. */
export const secondFactorOperations = {
  secondFactor: defineOperation({
    id: "secondFactor",
    method: "GET",
    path: "/auth/second-factor",
    tag: "Account",
    summary: "Show whether two-step sign-in is on",
    description: "Two-step sign-in asks for a code of an authenticator app after the password.",
    ...forSessions,
    response: { data: secondFactorObject },
    errors: {},
    audit: null,
    example: { sdk: `const { enabledAt } = await holdall.account.secondFactor();` },
  }),
  prepareSecondFactor: defineOperation({
    id: "prepareSecondFactor",
    method: "POST",
    path: "/auth/second-factor/secret",
    tag: "Account",
    summary: "Make a secret for an authenticator app",
    description: "Nothing changes until a code of the secret turns two-step sign-in on.",
    ...forSessions,
    response: {
      data: z.object({
        secret: z.string().meta({
          description: "20 bytes in base32, to type into the app.",
          example: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
        }),
        uri: z.string().meta({
          description: "The content of the QR code.",
          example: "otpauth://totp/Holdall:ada%40example.com?secret=JBSW…&issuer=Holdall",
        }),
      }),
    },
    errors: {},
    audit: null,
    example: {
      sdk: `const { secret, uri } =
  await holdall.account.prepareSecondFactor();`,
    },
  }),
  enableSecondFactor: defineOperation({
    id: "enableSecondFactor",
    method: "POST",
    path: "/auth/second-factor",
    tag: "Account",
    summary: "Turn two-step sign-in on",
    description:
      "From then on, signing in needs the password and a code of the authenticator app (TOTP, RFC 6238). Sessions and API keys stay valid.",
    ...forSessions,
    body: { json: enableSecondFactorBody },
    response: { data: recoveryCodes },
    codes: ["wrong_credentials"],
    errors: {
      400: "The code does not match the secret.",
      401: "The current password is wrong.",
      409: "Two-step sign-in is on already.",
    },
    audit: {},
    example: {
      body: {
        currentPassword: "correct horse battery",
        secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
        code: "492039",
      },
      sdk: `const recoveryCodes = await holdall.account.enableSecondFactor({
  currentPassword,
  secret,
  code,
});`,
    },
  }),
  disableSecondFactor: defineOperation({
    id: "disableSecondFactor",
    method: "DELETE",
    path: "/auth/second-factor",
    tag: "Account",
    summary: "Turn two-step sign-in off",
    description:
      "From then on, the password is enough to sign in. The recovery codes become invalid.",
    ...forSessions,
    body: { json: secondFactorBody },
    response: { data: z.object({}) },
    codes: ["wrong_credentials"],
    errors: wrong,
    audit: {},
    example: {
      body: { currentPassword: "correct horse battery", code: "492039" },
      sdk: `await holdall.account.disableSecondFactor({
  currentPassword,
  code,
});`,
    },
  }),
  renewRecoveryCodes: defineOperation({
    id: "renewRecoveryCodes",
    method: "PUT",
    path: "/auth/second-factor/recovery-codes",
    tag: "Account",
    summary: "Replace the recovery codes",
    description: "The ones before stop working.",
    ...forSessions,
    body: { json: secondFactorBody },
    response: { data: recoveryCodes },
    codes: ["wrong_credentials"],
    errors: wrong,
    audit: {},
    example: {
      body: { currentPassword: "correct horse battery", code: "492039" },
      sdk: `const recoveryCodes = await holdall.account.renewRecoveryCodes({
  currentPassword,
  code,
});`,
    },
  }),
};
