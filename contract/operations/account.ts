import { z } from "zod";
import * as bodies from "../bodies.ts";
import * as objects from "../objects.ts";
import type { Operation } from "../operation.ts";

const sessionAnswer = z.object({ account: objects.accountObject });

/** The administrator, who signs in with a browser. */
export const accountOperations = {
  setup: {
    id: "setup",
    method: "POST",
    path: "/auth/setup",
    tag: "Account",
    summary: "Create the administrator's account",
    description:
      "With the token of the setup link that the first start prints. Signs in: the answer sets the session cookie.",
    access: "anyone",
    budget: "api",
    body: { json: bodies.setupBody },
    answer: { data: sessionAnswer },
    errors: {
      400: "Not an email address, or a password that is too short.",
      401: "The token is wrong or has been used.",
      409: "The account exists already.",
    },
  },
  signIn: {
    id: "signIn",
    method: "POST",
    path: "/auth/sign-in",
    tag: "Account",
    summary: "Sign in",
    description: "The answer sets the session cookie. Repeated failures are answered 429.",
    access: "anyone",
    budget: "api",
    body: { json: bodies.signInBody },
    answer: { data: sessionAnswer },
    errors: { 401: "The email address or the password is wrong." },
  },
  signOut: {
    id: "signOut",
    method: "POST",
    path: "/auth/sign-out",
    tag: "Account",
    summary: "Sign out",
    description: "Ends the session.",
    access: "account",
    budget: "api",
    answer: { data: z.object({}) },
    errors: {},
  },
  whoAmI: {
    id: "whoAmI",
    method: "GET",
    path: "/auth/session",
    tag: "Account",
    summary: "Who is signed in",
    access: "account",
    budget: "api",
    answer: { data: z.object({ account: objects.accountObject, session: objects.sessionObject }) },
    errors: {},
  },
  setupState: {
    id: "setupState",
    method: "GET",
    path: "/auth/setup",
    tag: "Account",
    summary: "Whether the administrator's account has yet to be created",
    access: "anyone",
    budget: "api",
    answer: {
      data: z.object({
        needed: z.boolean().meta({ description: "True until the account has been created." }),
      }),
    },
    errors: {},
  },
  listSessions: {
    id: "listSessions",
    method: "GET",
    path: "/auth/sessions",
    tag: "Account",
    summary: "List the account's sessions",
    access: "account",
    budget: "api",
    answer: { data: z.object({ sessions: z.array(objects.sessionObject) }) },
    errors: {},
  },
  endSessions: {
    id: "endSessions",
    method: "DELETE",
    path: "/auth/sessions",
    tag: "Account",
    summary: "End one session, or all others",
    access: "account",
    budget: "api",
    body: { json: bodies.endSessionsBody },
    answer: {
      data: z.object({
        ended: z.int().min(0).meta({ description: "How many sessions ended.", example: 2 }),
      }),
    },
    errors: { 400: "Neither or both of `id` and `others`.", 404: "No such session." },
  },
  changePassword: {
    id: "changePassword",
    method: "PUT",
    path: "/auth/password",
    tag: "Account",
    summary: "Change the password",
    description: "Ends every session of the account; the one that asks gets a new cookie.",
    access: "account",
    budget: "api",
    body: { json: bodies.changePasswordBody },
    answer: { data: sessionAnswer },
    errors: { 400: "The new password is too short.", 401: "The current password is wrong." },
  },
} as const satisfies Record<string, Operation>;
