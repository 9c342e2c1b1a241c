import { expect } from "bun:test";
import { z } from "zod";
import { grantObject, inviteObject, listedAccount } from "../contract/objects/account.ts";
import { api, type Reachable, send, unique } from "./client.ts";
import { expectData } from "./expectations.ts";
import { startServer } from "./harness.ts";
import type { HttpResponse } from "./http-response.ts";
import { administrator, cookieOf, fromPage, signIn } from "./session.ts";
import { accountData, whoData } from "./shapes.ts";

export const PASSWORD = "a long enough password";
export const inviteData = z.strictObject({ invite: inviteObject, url: z.string() });
export const grantData = z.strictObject({ grant: grantObject });
const accountsData = z.strictObject({ accounts: z.array(listedAccount) });

/** The status and the code of a response. */
export const codeOf = ({ status, text }: HttpResponse): string =>
  `${status} ${JSON.parse(text).error?.code ?? ""}`.trim();

/** A signed-in account. `as` sends a request of its session. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly cookie: string;
  as(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<HttpResponse>;
}

export interface InvitedGrant {
  readonly folderId: string;
  readonly actions: readonly string[];
}

/** A server with an administrator, and without limits of requests. */
export const startPeopleServer = () =>
  startServer({
    ...administrator,
    RATE_LIMIT_API: "0",
    RATE_LIMIT_HOSTING: "0",
    RATE_LIMIT_S3: "0",
  });

/** What owners do with people, on a server with an administrator, who may have another password. */
export async function peopleOn(server: Reachable, password?: string) {
  const cookie = await signIn(server, password);
  const owner = (method: string, path: string, body?: unknown) =>
    fromPage(server, method, path, cookie, body);

  function person(account: { id: string; email: string }, cookie: string): Person {
    return {
      ...account,
      cookie,
      as: (method, path, body, headers) => fromPage(server, method, path, cookie, body, headers),
    };
  }

  async function invite(grants: readonly InvitedGrant[], more: object = {}): Promise<string> {
    const answer = await owner("POST", "/api/accounts/invite", { grants, ...more });
    const { url } = expectData(answer, inviteData);
    expect(url).toMatch(/^invite#[0-9A-Za-z]{43}$/);
    return url.split("#")[1] ?? "";
  }

  const accept = (token: string, email: string) =>
    send(
      server,
      "POST",
      "/auth/invite",
      { "Content-Type": "application/json", Origin: server.url },
      JSON.stringify({ token, email, password: PASSWORD }),
    );

  return {
    owner,
    ownerCookie: cookie,
    invite,
    accept,
    /** A member who has accepted an invitation with these grants. */
    async member(grants: readonly InvitedGrant[] = [], more: object = {}): Promise<Person> {
      const answer = await accept(await invite(grants, more), `${unique("person")}@example.com`);
      return person(expectData(answer, accountData).account, cookieOf(answer));
    },
    async signInAgain(email: string): Promise<HttpResponse> {
      return fromPage(server, "POST", "/auth/sign-in", "", { email, password: PASSWORD });
    },
    async grant(accountId: string, folderId: string, actions: readonly string[]) {
      const body = { accountId, folderId, actions };
      return expectData(await owner("POST", "/api/grants", body), grantData).grant;
    },
    async spacesOf({ as }: Person) {
      return expectData(await as("GET", "/auth/session"), whoData).spaces;
    },
    async accounts() {
      return expectData(await owner("GET", "/api/accounts"), accountsData).accounts;
    },
    /** A new folder with a private file. */
    async folder(path = unique("space")) {
      const file = await api(server).put(`${path}/note.txt`, "note", { visibility: "private" });
      return { id: file.folderId, key: path, file };
    },
  };
}
