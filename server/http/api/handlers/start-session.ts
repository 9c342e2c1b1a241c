import type { Identity } from "../../../access/authenticate.ts";
import { sessionCookie } from "../../../access/session-cookie.ts";
import type { Sessions, Visitor } from "../../../access/sessions.ts";
import { Fault } from "../../../domain/faults/fault.ts";
import type { AccountRecord } from "../../../domain/records.ts";
import { accountObject } from "../objects.ts";

export interface StartSessionDeps {
  readonly sessions: Sessions;
  /** Whether cookies are marked Secure. */
  readonly secure: boolean;
}

/** The part of a handler's input that starting a session needs. */
export interface SessionRequest {
  readonly request: Request;
  readonly client: string;
  readonly setCookie: (cookie: string) => void;
}

/** Starts a session of an account, and sets its cookie. */
export const createStartSession =
  ({ sessions, secure }: StartSessionDeps) =>
  async (
    account: AccountRecord,
    { request, client, setCookie }: SessionRequest,
    how: Pick<Visitor, "method" | "groups"> = {},
  ) => {
    const userAgent = request.headers.get("user-agent") ?? "";
    const { token, session } = await sessions.start(account, {
      userAgent,
      address: client,
      ...how,
    });
    setCookie(sessionCookie(token, session, { secure }));
    return { account: accountObject(account) };
  };

/** The gate admits only callers with a session to operations on the account. */
export function requireSession(identity: Identity | undefined) {
  if (identity?.kind !== "session") throw new Fault("unauthorized", "Unauthorized");
  return identity;
}
