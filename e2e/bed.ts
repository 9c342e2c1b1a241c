import type { BrowserContext } from "playwright-core";
import { type Environment, startServer, type TestServer } from "../test/harness.ts";
import { newProfile, type Visit, type VisitOptions, visit, visitWith } from "./browser.ts";
import { createSeed, type Seed } from "./seed.ts";

export const EMAIL = "ada@example.com";
export const PASSWORD = "a long enough password";

export type Device = "desk" | "phone";

export interface Bed {
  readonly server: TestServer;
  readonly seed: Seed;
  /** A visit by the signed-in administrator. All share a browser context and start with empty storage. */
  signedIn(options?: VisitOptions & { readonly device?: Device }): Promise<Visit>;
  stranger(options?: VisitOptions): Promise<Visit>;
  discard(): Promise<void>;
}

/** Starts a server with an administrator, for visits by a real browser. */
export async function makeBed(env: Environment = {}): Promise<Bed> {
  const server = await startServer({ ADMIN_EMAIL: EMAIL, ADMIN_PASSWORD: PASSWORD, ...env });
  const profiles = new Map<Device, Promise<BrowserContext>>();
  let cookie: Promise<{ name: string; value: string }> | undefined;

  return {
    server,
    seed: createSeed(server),
    stranger: (options) => visit(server.url, options),
    async signedIn({ device = "desk", ...options } = {}) {
      const profile = profiles.get(device) ?? newProfile(server.url, device);
      profiles.set(device, profile);
      // Password hashing is slow by design, so one session serves all visits.
      cookie ??= signIn(server.url);
      const context = await profile;
      await context.addCookies([{ ...(await cookie), url: server.url }]);
      return visitWith(context, options);
    },
    async discard() {
      for (const profile of profiles.values()) await (await profile).close();
      await server.discard();
    },
  };
}

async function signIn(url: string): Promise<{ name: string; value: string }> {
  const answer = await fetch(`${url}/auth/sign-in`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: url },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  });
  const [pair = ""] = (answer.headers.get("set-cookie") ?? "").split(";");
  const [name = "", value = ""] = pair.split("=");
  if (value === "") throw new Error(`Signing in failed with status ${answer.status}`);
  return { name, value };
}
