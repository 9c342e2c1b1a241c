import { z } from "zod";
import { required, text } from "../text.ts";
import { email, newPassword } from "./account.ts";
import { exactlyOne, oneId, oneKey } from "./common.ts";

export const roles = ["owner", "member"] as const;

/** The actions of grants: without those about keys and the instance. */
export const grantActions = ["list", "read", "write", "discard", "delete", "share"] as const;

const role = z.enum(roles, { error: required("`owner` or `member`") }).meta({
  description: "`owner`: everything; `member`: what its grants allow.",
  example: "member",
});

const actionList = grantActions.map((action) => `\`${action}\``).join(", ");

const actions = z
  .array(z.enum(grantActions, { error: `must be one of ${actionList}` }), {
    error: required(`a list of actions, of ${actionList}`),
  })
  .min(1, { error: `must be a list with at least one of ${actionList}` })
  .meta({
    description: "Actions of the member in the folder, as for API keys.",
    example: ["list", "read", "write"],
  });

const accountId = oneId("an account");

export const createAccountBody = z.object({
  email,
  password: newPassword.optional().meta({
    description: "Default: a random one, which the response shows.",
  }),
  role: role.optional().meta({ description: "Default: `member`." }),
});

export const changeAccountBody = z.object({
  id: accountId,
  role: role.optional(),
  disabled: z.boolean({ error: "must be true or false" }).optional().meta({
    description:
      "`true`: the account cannot sign in, its sessions end, and what it has made reaches nothing until it is enabled.",
  }),
});

export const removeAccountBody = z.object({ id: accountId });

const flag = (description: string) =>
  z.literal(true, { error: "must be true or omitted" }).optional().meta({ description });

export const resetAccountBody = z.object({
  id: accountId,
  password: flag("Sets a random password, which the response shows, and ends all sessions."),
  secondFactor: flag("Turns two-step sign-in off, removes the passkeys, and ends all sessions."),
});

const group = z
  .string({ error: "must be a name of 1 to 200 characters" })
  .min(1, { error: "must be a name of 1 to 200 characters" })
  .max(200, { error: "must be a name of 1 to 200 characters" })
  .regex(/^[^\p{Cc}]*$/u, { error: "must have no control characters" });

export const createGrantBody = z
  .object({
    accountId: accountId.optional().meta({ description: "The member." }),
    group: group.optional().meta({
      description:
        "A group of the provider through which people sign in, instead of one member. Exactly as the provider writes it.",
      example: "design",
    }),
    folderId: oneId("a folder").optional().meta({ description: "The folder's id." }),
    folder: oneKey("a folder")
      .optional()
      .meta({ description: "The key of the folder, instead of its id. `/`: the root." }),
    actions,
  })
  .meta(exactlyOne("accountId", "group"));

export const changeGrantBody = z.object({ id: oneId("a grant"), actions });

export const removeGrantBody = z.object({ id: oneId("a grant") });

export const createInviteBody = z.object({
  role: role.optional().meta({ description: "Default: `member`." }),
  grants: z
    .array(
      z.object(
        {
          folderId: oneId("a folder").optional(),
          folder: oneKey("a folder").optional(),
          actions,
        },
        { error: "must be a grant, as an object" },
      ),
      { error: "must be a list of grants" },
    )
    .max(100, { error: "must have at most 100 grants" })
    .optional()
    .meta({
      description: "Grants of the new member: each with `folderId` or `folder`, and `actions`.",
    }),
  expiresIn: z
    .number({ error: "must be a number of seconds" })
    .min(60, { error: "must be at least 60 seconds" })
    .max(2_592_000, { error: "must be at most 30 days, in seconds" })
    .optional()
    .meta({
      description: "Seconds until the link expires, at most 2592000 (30 days). Default: 7 days.",
      example: 604_800,
    }),
});

export const removeInviteBody = z.object({ id: oneId("an invitation") });

const token = text("the token of the invitation").meta({ example: "TOKEN" });

export const readInviteBody = z.object({ token });

export const acceptInviteBody = z.object({ token, email, password: newPassword });
