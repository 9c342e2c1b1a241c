import { z } from "zod";
import { required, text } from "../text.ts";

const bytes = (description: string) =>
  text("bytes in base64url")
    .regex(/^[\w-]*$/, { error: "must be bytes in base64url" })
    .meta({
      description,
    });

const anObject = required("an object");

/** The longest that WebAuthn allows, in base64url. */
const credentialId = bytes("The id of the credential.")
  .min(1, { error: "must not be empty" })
  .max(1364, { error: "must be at most 1,023 bytes" });

const clientDataJSON = bytes("What the browser has signed: the challenge and the origin.");

/** The result of `navigator.credentials`, as JSON; further fields are ignored. */
const credential = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal("public-key", { error: required("`public-key`") }),
};

const passkeyName = z
  .string({ error: required("a name of 1 to 100 characters") })
  .trim()
  .min(1, { error: "must be a name of 1 to 100 characters" })
  .max(100, { error: "must be a name of 1 to 100 characters" });

export const preparePasskeyBody = z.object({
  currentPassword: text("the current password"),
  code: text("a code").optional().meta({
    description:
      "With two-step sign-in: the code that the authenticator app shows, or a recovery code.",
    example: "492039",
  }),
});

export const addPasskeyBody = z.object({
  response: z
    .object(
      {
        ...credential,
        response: z.object(
          {
            clientDataJSON,
            attestationObject: bytes("The new public key."),
            transports: z.array(text("a text"), { error: required("a list of texts") }).optional(),
          },
          { error: anObject },
        ),
      },
      { error: anObject },
    )
    .meta({
      description: "`RegistrationResponseJSON` of WebAuthn.",
      typeName: "PasskeyRegistration",
    }),
  name: passkeyName.optional().meta({
    description: "Its name, if the authenticator does not say what it is. Default: `Passkey`.",
    example: "Firefox on Linux",
  }),
});

const passkeyId = text("the id of a passkey");

export const renamePasskeyBody = z.object({
  id: passkeyId,
  name: passkeyName.meta({ example: "Phone" }),
});

export const removePasskeyBody = z.object({ id: passkeyId });

export const passkeySignInBody = z.object({
  response: z
    .object(
      {
        ...credential,
        response: z.object(
          {
            clientDataJSON,
            authenticatorData: bytes("The host name, flags and the counter."),
            signature: bytes("Of both, by the passkey."),
            userHandle: bytes("The account.").optional(),
          },
          { error: anObject },
        ),
      },
      { error: anObject },
    )
    .meta({
      description: "`AuthenticationResponseJSON` of WebAuthn.",
      typeName: "PasskeyAssertion",
    }),
});
