import type { KeyAction } from "../../contract/key-actions.ts";
import { CLIENT, startHostileProvider } from "../../server/access/oidc/hostile-provider.fixture.ts";
import { api, unique } from "../client.ts";
import { createExampleRequests } from "../example-requests.ts";
import { expectData } from "../expectations.ts";
import { freePort } from "../free-port.fixture.ts";
import { type Environment, startServer } from "../harness.ts";
import { peopleOn } from "../people.fixture.ts";
import { administrator, signIn } from "../session.ts";
import { newKeyData } from "../shapes.ts";

const FEATURES = { ...administrator, KEEP_VERSIONS: "true", FETCH_BY_KEYS: "true" };
const UNLIMITED = { RATE_LIMIT_API: "0", RATE_LIMIT_HOSTING: "0", RATE_LIMIT_SESSION: "0" };
const LIMITED = {
  ...{ RATE_LIMIT_API: "1", RATE_LIMIT_HOSTING: "1", RATE_LIMIT_LINKS: "1" },
  RATE_LIMIT_SESSION: "1",
};

export type Scene = Awaited<ReturnType<typeof createScene>>;

/** Servers and callers of which requests fail in every way that the contract declares. */
export async function createScene() {
  const provider = await startHostileProvider();
  const port = String(await freePort());
  // Passkeys need a host name.
  const url = `http://localhost:${port}`;
  const started: { discard(): Promise<void> }[] = [];
  const start = async (env: Environment) => {
    const server = await startServer({ ...FEATURES, ...env });
    started.push(server);
    return server;
  };
  const client = {
    ...{ OIDC_CLIENT_ID: CLIENT.clientId, OIDC_CLIENT_SECRET: CLIENT.clientSecret },
    OIDC_ALLOWED: "staff",
  };
  const server = await start({
    ...{ ...UNLIMITED, ...client, OIDC_ISSUER: provider.issuer },
    ...{ PORT: port, PUBLIC_URL: url, MAX_UPLOAD_SIZE: "1mb", MAX_FILES_PER_REQUEST: "2" },
  });
  /** A server whose provider does not answer. */
  const startWithoutAnswers = async () => {
    const down = await startHostileProvider();
    await down.stop();
    const downPort = String(await freePort());
    const downUrl = `http://localhost:${downPort}`;
    const own = { PORT: downPort, PUBLIC_URL: downUrl, OIDC_ISSUER: down.issuer };
    return { ...(await start({ ...UNLIMITED, ...client, ...own })), url: downUrl };
  };
  const [limited, strict] = await Promise.all([
    start(LIMITED),
    start({ ...UNLIMITED, REQUIRE_SECOND_FACTOR: "true" }),
  ]);
  const site = { ...server, url };
  const people = await peopleOn(site);
  const [one, other] = [await people.folder(), await people.folder()];
  const granted = [one, other].map(({ id }) => ({ folderId: id, actions: ["list"] }));
  const a = api(site);
  return {
    a,
    site,
    limited,
    strict,
    provider,
    people,
    start,
    startWithoutAnswers,
    exampleOf: createExampleRequests(site, () => "no-token", provider),
    ungranted: await people.member(),
    granted: await people.member(granted),
    strictCookie: await signIn(strict),
    async secretFor(actions: readonly KeyAction[], folder?: string): Promise<string> {
      const body = { name: unique("key"), actions, folder };
      return expectData(await a.json("POST", "/api/keys", body), newKeyData).secret;
    },
    async discard() {
      await Promise.all(started.map((each) => each.discard()));
      await provider.stop();
    },
  };
}
