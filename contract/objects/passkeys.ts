import { z } from "zod";
import { EXAMPLE_ID } from "../example.ts";
import { timestamp } from "./common.ts";

export const passkeyObject = z
  .object({
    id: z.string().meta({ example: EXAMPLE_ID }),
    name: z.string().meta({
      description: "At first the name of the password manager or device, if it says it.",
      example: "Google Password Manager",
    }),
    host: z.string().meta({
      description: "The host name of the pages where it works.",
      example: "files.example.com",
    }),
    credentialId: z.string().meta({
      description: "Chosen by the authenticator, in base64url.",
      example: "hQ3mYJr2Vn8",
    }),
    synced: z.boolean().meta({
      description: "Whether it is backed up or shared among devices, when it was last used.",
    }),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable(),
  })
  .meta({ id: "Passkey", typeName: "PasskeyObject" });

const challenge = z.string().meta({
  description: "In base64url. Works once, for five minutes.",
  example: "bW9vbmxpZ2h0IG9uIHRoZSBoYXJib3Vy",
});

const lifetime = z.int().meta({ description: "In milliseconds.", example: 300_000 });

const publicKey = z.literal("public-key");

/** `PublicKeyCredentialCreationOptionsJSON` of WebAuthn. */
export const passkeyCreationOptions = z
  .object({
    challenge,
    rp: z.object({ id: z.string().meta({ example: "files.example.com" }), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.object({ type: publicKey, alg: z.int() })),
    timeout: lifetime,
    excludeCredentials: z.array(
      z.object({ type: publicKey, id: z.string(), transports: z.array(z.string()) }),
    ),
    authenticatorSelection: z.object({
      residentKey: z.literal("required"),
      requireResidentKey: z.boolean(),
      userVerification: z.literal("required"),
    }),
    attestation: z.literal("none"),
  })
  .meta({ typeName: "PasskeyCreationOptions" });

/** `PublicKeyCredentialRequestOptionsJSON` of WebAuthn. */
export const passkeyRequestOptions = z
  .object({
    challenge,
    rpId: z.string().meta({ example: "files.example.com" }),
    timeout: lifetime,
    userVerification: z.literal("required"),
  })
  .meta({ typeName: "PasskeyRequestOptions" });
