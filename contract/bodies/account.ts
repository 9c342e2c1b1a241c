import { z } from "zod";
import { required, text } from "../text.ts";
import { exactlyOne } from "./common.ts";

export const email = z
  .string({ error: required("an email address") })
  .trim()
  .toLowerCase()
  .max(254, { error: "must be an email address" })
  .regex(/^[^\s@]+@[^\s@]+$/, { error: "must be an email address" });

export const newPassword = z
  .string({ error: required("a password of 8 to 256 characters") })
  .min(8, { error: "must be a password of 8 to 256 characters" })
  .max(256, { error: "must be a password of 8 to 256 characters" });

export const setupBody = z.object({
  token: text("the token of the setup link"),
  email,
  password: newPassword,
});

export const signInBody = z.object({
  email: text("an email address"),
  password: text("a password"),
  code: text("a code").optional().meta({
    description:
      "With two-step sign-in: the code that the authenticator app shows, or a recovery code.",
    example: "492039",
  }),
});

const secondFactorCode = text("a code").meta({
  description: "The code that the authenticator app shows, or a recovery code.",
  example: "492039",
});

export const enableSecondFactorBody = z.object({
  currentPassword: text("the current password"),
  secret: text("the secret").meta({
    description: "The secret from `POST /auth/second-factor/secret`.",
    example: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
  }),
  code: text("a code").meta({
    description: "The code that the authenticator app shows for the secret.",
    example: "492039",
  }),
});

export const secondFactorBody = z.object({
  currentPassword: text("the current password"),
  code: secondFactorCode,
});

export const changePasswordBody = z.object({
  currentPassword: text("the current password"),
  newPassword,
});

export const changeEmailBody = z.object({
  email,
  currentPassword: text("the current password"),
});

export const endSessionsBody = z
  .object({
    id: text("the id of a session")
      .optional()
      .meta({ description: "The id of a single session to end." }),
    others: z
      .literal(true, { error: "must be true or omitted" })
      .optional()
      .meta({ description: "Ends every session except the caller's, instead of `id`." }),
  })
  .meta(exactlyOne("id", "others"));
