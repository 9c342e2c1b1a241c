import type { BrowserContext } from "playwright-core";
import { type Environment, startServer, type TestServer } from "../test/harness.ts";
import {
  type Device,
  newContext,
  type Visit,
  type VisitOptions,
  visit,
  visitInContext,
} from "./browser.ts";
import { createSeed, type Seed } from "./seed.ts";

export const EMAIL = "ada@example.com";
export const PASSWORD = "a long enough password";

export interface BrowserFixture {
  readonly server: TestServer;
  readonly seed: Seed;
  /**
   * A visit by the signed-in administrator, with empty storage. Visits with the same device and locale
   * share a browser context.
   */
  signedIn(options?: VisitOptions & { readonly device?: Device }): Promise<Visit>;
  anonymous(options?: VisitOptions & { readonly device?: Device }): Promise<Visit>;
  discard(): Promise<void>;
}

/** Starts a server with an administrator, for visits by a real browser. */
export async function createBrowserFixture(env: Environment = {}): Promise<BrowserFixture> {
  const server = await startServer({ ADMIN_EMAIL: EMAIL, ADMIN_PASSWORD: PASSWORD, ...env });
  const contexts = new Map<string, Promise<BrowserContext>>();
  let cookie: Promise<{ name: string; value: string }> | undefined;

  return {
    server,
    seed: createSeed(server),
    anonymous: (options) => visit(server.url, options),
    async signedIn({ device = "desktop", locale = "en-GB", ...options } = {}) {
      const kind = `${device} ${locale}`;
      const opening = contexts.get(kind) ?? newContext(server.url, { device, locale });
      contexts.set(kind, opening);
      // Password hashing is slow by design, so one session serves all visits.
      cookie ??= signIn(server.url);
      const context = await opening;
      await context.addCookies([{ ...(await cookie), url: server.url }]);
      return visitInContext(context, options);
    },
    async discard() {
      for (const context of contexts.values()) await (await context).close();
      await server.discard();
    },
  };
}

async function signIn(url: string): Promise<{ name: string; value: string }> {
  const response = await fetch(`${url}/auth/sign-in`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: url },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  });
  const [pair = ""] = (response.headers.get("set-cookie") ?? "").split(";");
  const [name = "", value = ""] = pair.split("=");
  if (value === "") throw new Error(`Signing in failed with status ${response.status}`);
  return { name, value };
}
