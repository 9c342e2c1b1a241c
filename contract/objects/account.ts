import { z } from "zod";
import { grantActions, roles } from "../bodies/accounts.ts";
import { EXAMPLE_FOLDER_ID, EXAMPLE_ID } from "../example.ts";
import { timestamp } from "./common.ts";

const role = z
  .enum(roles)
  .meta({ description: "`owner`: everything; `member`: what its grants allow.", example: "owner" });

export const accountObject = z
  .object({
    id: z.string().meta({ example: EXAMPLE_ID }),
    email: z.string().meta({ example: "ada@example.com" }),
    role,
    hasPassword: z.boolean().meta({
      description: "False: the account signs in only with a passkey, or through a provider.",
      example: true,
    }),
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

/** An account as owners see it. */
export const listedAccount = accountObject
  .extend({
    disabledAt: timestamp
      .nullable()
      .meta({ description: "`null`: the account is not disabled.", example: null }),
    hasSecondFactor: z.boolean().meta({ description: "Whether two-step sign-in is on." }),
    passkeys: z.int().min(0).meta({ description: "Number of passkeys.", example: 1 }),
    identities: z.int().min(0).meta({
      description: "Number of accounts at providers that open it.",
      example: 0,
    }),
    groups: z.array(z.string()).meta({
      description: "Its groups at the provider, as of the last sign-in there.",
      example: ["design"],
    }),
    lastSeenAt: timestamp.nullable().meta({
      description: "When one of its sessions was last used; `null`: it is signed in nowhere.",
    }),
  })
  .meta({ id: "ListedAccount", typeName: "ListedAccountObject" });

const actions = z
  .array(z.enum(grantActions).meta({ typeName: "GrantAction" }))
  .meta({ description: "Actions of the member in that folder.", example: ["list", "read"] });

const folder = z.object({
  id: z.string().meta({ example: EXAMPLE_FOLDER_ID }),
  key: z.string().nullable().meta({
    description: "The folder's current key; `null` while it is in the trash.",
    example: "photos/2026",
  }),
});

export const grantObject = z
  .object({
    id: z.string().meta({ example: EXAMPLE_ID }),
    accountId: z.string().nullable().meta({
      description: "The member; `null`: it is for a group.",
      example: EXAMPLE_ID,
    }),
    group: z.string().nullable().meta({
      description: "The group of a provider; `null`: it is for one member.",
      example: null,
    }),
    folder,
    actions,
    createdAt: timestamp,
  })
  .meta({ id: "Grant", typeName: "GrantObject" });

/** A grant as the member sees it. */
export const spaceObject = z
  .object({
    id: z.string().meta({
      description: "Identifier of the grant, for `Holdall-Space`.",
      example: EXAMPLE_ID,
    }),
    folder,
    actions,
  })
  .meta({ id: "Space", typeName: "SpaceObject" });

export const inviteObject = z
  .object({
    id: z.string().meta({ example: EXAMPLE_ID }),
    role,
    grants: z
      .array(z.object({ folderId: z.string().meta({ example: EXAMPLE_FOLDER_ID }), actions }))
      .meta({ description: "Grants of the new member." }),
    invitedBy: z.string().nullable().meta({
      description: "The email address of the owner; `null`: a command made it.",
      example: "ada@example.com",
    }),
    createdAt: timestamp,
    expiresAt: timestamp,
  })
  .meta({ id: "Invite", typeName: "InviteObject" });
