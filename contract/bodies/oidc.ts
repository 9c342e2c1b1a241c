import { z } from "zod";
import { text } from "../text.ts";

export const beginOidcQuery = z.object({
  to: text("a path").optional().meta({
    description: "The path of this server to open afterwards. Default: `/files`.",
    example: "/files/photos",
  }),
});

export const beginInvitationBody = z.object({ token: text("the token of an invitation") });

export const connectIdentityBody = z.object({
  currentPassword: text("the current password"),
  code: text("a code").optional().meta({
    description:
      "With two-step sign-in: the code that the authenticator app shows, or a recovery code.",
    example: "492039",
  }),
});

export const disconnectIdentityBody = z.object({
  issuer: text("an issuer"),
  subject: text("a subject"),
});
