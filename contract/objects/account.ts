import { z } from "zod";
import { EXAMPLE_ID } from "../example.ts";
import { timestamp } from "./common.ts";

export const accountObject = z
  .object({
    id: z.string().meta({ example: EXAMPLE_ID }),
    email: z.string().meta({ example: "ada@example.com" }),
    createdAt: timestamp,
  })
  .meta({ id: "Account", typeName: "AccountObject" });

export const identityObject = z
  .object({
    issuer: z.string().meta({ example: "https://id.example.com" }),
    subject: z.string().meta({
      description: "How the provider calls the person: the claim `sub`.",
      example: "248289761001",
    }),
    createdAt: timestamp,
  })
  .meta({ id: "Identity", typeName: "IdentityObject" });

export const secondFactorObject = z
  .object({
    enabledAt: timestamp.nullable().meta({
      description: "When two-step sign-in was turned on; `null` if it is off.",
    }),
    recoveryCodes: z.int().min(0).meta({
      description: "Number of recovery codes that are left.",
      example: 10,
    }),
  })
  .meta({ id: "SecondFactor", typeName: "SecondFactorObject" });

export const sessionObject = z
  .object({
    id: z.string().meta({ example: EXAMPLE_ID }),
    current: z.boolean().meta({ description: "True for the caller's session." }),
    userAgent: z.string().meta({
      description: "The browser's `User-Agent`.",
      example: "Mozilla/5.0 (X11; Linux x86_64) …",
    }),
    address: z.string().meta({ description: "The IP address at sign-in.", example: "203.0.113.7" }),
    createdAt: timestamp,
    lastSeenAt: timestamp,
    expiresAt: timestamp,
  })
  .meta({ id: "Session", typeName: "SessionObject" });
