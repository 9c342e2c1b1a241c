import { type Environment, startServer, type TestServer } from "../test/harness.ts";
import { type Visit, type VisitOptions, visit } from "./browser.ts";
import { createSeed, type Seed } from "./seed.ts";

export const EMAIL = "ada@example.com";
export const PASSWORD = "a long enough password";

export interface Bed {
  readonly server: TestServer;
  readonly seed: Seed;
  /** A visitor who is signed in. */
  signedIn(options?: VisitOptions): Promise<Visit>;
  stranger(options?: VisitOptions): Promise<Visit>;
  discard(): Promise<void>;
}

/** A server with an administrator, for visits by a real browser. */
export async function makeBed(env: Environment = {}): Promise<Bed> {
  const server = await startServer({ ADMIN_EMAIL: EMAIL, ADMIN_PASSWORD: PASSWORD, ...env });
  const visits: Visit[] = [];
  const open = async (options?: VisitOptions): Promise<Visit> => {
    const made = await visit(server.url, options);
    visits.push(made);
    return made;
  };
  let cookie: { name: string; value: string } | undefined;

  return {
    server,
    seed: createSeed(server),
    stranger: open,
    async signedIn(options) {
      const made = await open(options);
      // Passwords are slow to check on purpose: one session serves all visits.
      cookie ??= await signIn(server.url);
      await made.context.addCookies([{ ...cookie, url: server.url }]);
      return made;
    },
    async discard() {
      await Promise.all(visits.map(({ context }) => context.close()));
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
  if (value === "") throw new Error(`Signing in was answered with ${answer.status}`);
  return { name, value };
}
