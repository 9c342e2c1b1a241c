import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { hasS3Server, s3Server } from "../server/blobs/s3/s3-server.fixture.ts";
import { postgresServer } from "../server/catalog/postgres/server.fixture.ts";
import { startServer, type TestServer } from "./harness.ts";
import { peopleOn } from "./people.fixture.ts";
import { ENDED, makeEverything, WORKING } from "./people-uses.fixture.ts";
import { s3Environment } from "./s3-environment.ts";
import { administrator, fromPage } from "./session.ts";

/* Three servers with one catalog in PostgreSQL and one bucket. */

describe.skipIf(!hasS3Server)("a member on several servers", () => {
  const servers: TestServer[] = [];
  beforeAll(async () => {
    const env = {
      ...administrator,
      ...s3Environment(await (await s3Server()).fresh()),
      DATABASE_URL: await (await postgresServer()).fresh(),
      AUTH_SECRET: "of-all-servers-together-3f8c1b7e94d2",
      RATE_LIMIT_API: "0",
      RATE_LIMIT_HOSTING: "0",
      RATE_LIMIT_S3: "0",
    };
    const first = await startServer(env);
    servers.push(first);
    for (let more = 0; more < 2; more += 1) {
      servers.push({ ...(await startServer(env)), apiKey: first.apiKey });
    }
  });
  afterAll(async () => {
    for (const server of servers) await server.discard();
  });
  const one = (): TestServer => {
    const [first] = servers;
    if (first === undefined) throw new Error("No server");
    return first;
  };

  test.each(["disable", "remove"])("ends with everything on each at once: %s", async (how) => {
    const people = await peopleOn(one());
    const made = [];
    for (const server of servers) made.push(await makeEverything(one(), people, server));
    for (const { statuses } of made) expect(await statuses()).toEqual(WORKING);
    for (const { person, statuses } of made) {
      const { id } = person;
      const ended = await (how === "disable"
        ? people.owner("PUT", "/api/accounts", { id, disabled: true })
        : people.owner("DELETE", "/api/accounts", { id }));
      expect(ended.status).toBe(200);
      expect(await statuses()).toEqual(ENDED);
    }
  });

  test("leaves one owner when all are demoted on different servers at once", async () => {
    const people = await peopleOn(one());
    const owners = [await people.member([], { role: "owner" })];
    owners.push(await people.member([], { role: "owner" }));
    const [administratorAccount] = await people.accounts();
    const ids = [administratorAccount?.id ?? "", ...owners.map(({ id }) => id)];
    // Each is demoted by the next one.
    const cookies = [...owners.map(({ cookie }) => cookie), people.ownerCookie];
    const answers = await Promise.all(
      ids.map((id, at) =>
        fromPage(servers[at % servers.length] ?? one(), "PUT", "/api/accounts", cookies[at] ?? "", {
          id,
          role: "member",
        }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBeLessThan(3);
    const left = await Promise.all(
      [people.ownerCookie, ...owners.map(({ cookie }) => cookie)].map(
        async (cookie) => (await fromPage(one(), "GET", "/api/accounts", cookie)).status,
      ),
    );
    expect(left.filter((status) => status === 200).length).toBeGreaterThan(0);
  });
});
