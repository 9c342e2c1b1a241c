import { type Reachable, send } from "./client.ts";
import { expectData } from "./expectations.ts";
import type { HttpResponse } from "./http-response.ts";
import { accountData } from "./shapes.ts";

/** The environment that creates the administrator. */
export const administrator = {
  ADMIN_EMAIL: "ada@example.com",
  ADMIN_PASSWORD: "correct horse battery",
} as const;

/** The session cookie that a response sets, as `name=value`; throws without one. */
export function cookieOf(answer: HttpResponse): string {
  const set = answer.all("set-cookie").find((value) => value.includes("holdall_session="));
  const pair = set?.split(";")[0];
  if (pair === undefined || pair.endsWith("=")) throw new Error(`No session: ${answer.text}`);
  return pair;
}

/** Sends JSON as the dashboard does: from the server's origin, with this cookie. */
export function fromPage(
  server: Reachable,
  method: string,
  path: string,
  cookie: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<HttpResponse> {
  return send(
    server,
    method,
    path,
    {
      ...(cookie === "" ? {} : { Cookie: cookie }),
      ...(method === "GET" ? {} : { Origin: server.url }),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...headers,
    },
    body === undefined ? undefined : JSON.stringify(body),
  );
}

export function trySignIn(
  server: Reachable,
  email: string,
  password: string,
): Promise<HttpResponse> {
  return fromPage(server, "POST", "/auth/sign-in", "", { email, password });
}

/** Signs the administrator in and returns the cookie. */
export async function signIn(
  server: Reachable,
  password: string = administrator.ADMIN_PASSWORD,
): Promise<string> {
  const answer = await trySignIn(server, administrator.ADMIN_EMAIL, password);
  expectData(answer, accountData);
  return cookieOf(answer);
}
