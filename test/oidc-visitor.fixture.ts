import type { HostileProvider } from "../server/access/oidc/hostile-provider.fixture.ts";
import { type HeaderPairs, send } from "./client.ts";
import type { TestServer } from "./harness.ts";
import type { HttpResponse } from "./http-response.ts";

/** A browser that keeps cookies, and goes between the server and the provider. */
export interface OidcVisitor {
  readonly cookies: Map<string, string>;
  request(
    method: string,
    path: string,
    body?: unknown,
    headers?: HeaderPairs,
  ): Promise<HttpResponse>;
  /** Begins a sign-in. Returns the path of the callback, to which the provider has sent the browser. */
  begin(query?: string): Promise<string>;
  /** The same, with an invitation. */
  beginWith(token: string): Promise<string>;
  /** A whole sign-in. Returns the response of the callback. */
  signIn(query?: string): Promise<HttpResponse>;
}

export const ORIGIN = "https://files.example.com";

export function createVisitor(server: TestServer, provider: HostileProvider): OidcVisitor {
  const cookies = new Map<string, string>();

  async function request(
    method: string,
    path: string,
    body?: unknown,
    headers: HeaderPairs = {},
  ): Promise<HttpResponse> {
    const answer = await send(
      server,
      method,
      path,
      {
        Cookie: [...cookies].map((pair) => pair.join("=")).join("; "),
        ...(method === "GET" ? {} : { Origin: ORIGIN }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      body === undefined ? undefined : JSON.stringify(body),
    );
    for (const cookie of answer.all("set-cookie")) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  }

  async function begin(query = ""): Promise<string> {
    const begun = await request("GET", `/auth/oidc${query}`);
    const callback = await provider.signIn(begun.header("location") ?? "");
    return callback.slice(ORIGIN.length);
  }

  async function beginWith(token: string): Promise<string> {
    const begun = await request("POST", "/auth/oidc/invitation", { token });
    const { url } = JSON.parse(begun.text).data;
    return (await provider.signIn(url)).slice(ORIGIN.length);
  }

  return {
    cookies,
    beginWith,
    request,
    begin,
    signIn: async (query) => request("GET", await begin(query)),
  };
}
