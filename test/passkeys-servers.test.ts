import { describe, expect, test } from "bun:test";
import { z } from "zod";
import { createSoftwareAuthenticator } from "../server/access/passkeys/software-authenticator.fixture.ts";
import { hasS3Server, s3Server } from "../server/blobs/s3/s3-server.fixture.ts";
import { postgresServer } from "../server/catalog/postgres/server.fixture.ts";
import { expectData, expectFault } from "./expectations.ts";
import { startServer, type TestServer } from "./harness.ts";
import { s3Environment } from "./s3-environment.ts";
import { administrator, cookieOf, fromPage } from "./session.ts";
import { accountData } from "./shapes.ts";

const ORIGIN = "https://files.example.com";

const post = (server: TestServer, path: string, body: unknown, cookie = "") =>
  fromPage(server, "POST", path, cookie, body, { Origin: ORIGIN });

const creation = z.object({
  options: z.object({
    challenge: z.string(),
    rp: z.object({ id: z.string() }),
    user: z.object({ id: z.string() }),
  }),
});
const request = z.object({ options: z.object({ challenge: z.string(), rpId: z.string() }) });

/** Two servers with one catalog in PostgreSQL and one bucket. */
async function startServers(): Promise<[TestServer, TestServer]> {
  const env = {
    ...administrator,
    ...s3Environment(await (await s3Server()).fresh()),
    DATABASE_URL: await (await postgresServer()).fresh(),
    PUBLIC_URL: ORIGIN,
    AUTH_SECRET: "of-all-servers-together-3f8c1b7e94d2",
  };
  return [await startServer(env), await startServer(env)];
}

describe.skipIf(!hasS3Server)("passkeys on several servers", () => {
  test("accept a challenge of any server, once on all together", async () => {
    const [one, two] = await startServers();
    try {
      const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = administrator;
      const cookie = cookieOf(await post(one, "/auth/sign-in", { email, password }));
      const device = createSoftwareAuthenticator(ORIGIN);
      const proof = { currentPassword: password };
      const prepared = await post(one, "/auth/passkeys/options", proof, cookie);
      const made = { response: device.create(expectData(prepared, creation).options) };
      expect((await post(two, "/auth/passkeys", made, cookie)).status).toBe(200);
      expectFault(await post(one, "/auth/passkeys", made, cookie), 400, /used before/);

      for (const [from, to] of [
        [one, two],
        [two, one],
      ] as const) {
        const asked = await post(from, "/auth/sign-in/passkey/options", undefined);
        const signed = { response: device.get(expectData(asked, request).options) };
        const answers = await Promise.all(
          [to, from].map((server) => post(server, "/auth/sign-in/passkey", signed)),
        );
        const accepted = answers.filter(({ status }) => status === 200);
        expect(accepted).toHaveLength(1);
        for (const answer of accepted) expectData(answer, accountData);
        expectFault(await post(to, "/auth/sign-in/passkey", signed), 401, /used before/);
      }
    } finally {
      await Promise.all([one.discard(), two.discard()]);
    }
  });
});
