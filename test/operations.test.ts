import { afterAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { refusesConditions } from "../contract/conditions.ts";
import { type Operation, successStatus } from "../contract/operation.ts";
import { operations } from "../contract/operations.ts";
import { CLIENT, startHostileProvider } from "../server/access/oidc/hostile-provider.fixture.ts";
import { curlExample } from "../server/http/pages/curl-example.ts";
import { operationUrl } from "../server/http/pages/reference-topics.ts";
import { api, send } from "./client.ts";
import { createExampleRequests } from "./example-requests.ts";
import { eventually, expectData, expectFault } from "./expectations.ts";
import { freePort } from "./free-port.fixture.ts";
import { startServer } from "./harness.ts";
import { pasteCommand } from "./paste-command.ts";

const provider = await startHostileProvider();
const port = String(await freePort());
/** Passkeys need a host name. */
const url = `http://localhost:${port}`;
const server = await startServer({
  KEEP_VERSIONS: "true",
  FETCH_BY_KEYS: "true",
  PORT: port,
  PUBLIC_URL: url,
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: CLIENT.clientId,
  OIDC_CLIENT_SECRET: CLIENT.clientSecret,
  OIDC_ALLOWED: "staff",
});
afterAll(async () => {
  await server.discard();
  await provider.stop();
});
const a = api(server);
const site = { ...server, url };

const all = Object.values<Operation>(operations);
const each = all.map((operation) => [operation.id, operation] as const);

/** The token of the setup link that the server has printed. */
function setupToken(): string {
  const token = /setup\S*?([A-Za-z0-9_-]{20,})/.exec(server.output())?.[1];
  if (token === undefined) throw new Error(`No setup link in: ${server.output()}`);
  return token;
}

// The examples about the account use what `setup` creates, which stands before them. No operation is left out.
const exampleOf = createExampleRequests(site, setupToken, provider);

const conditions = [
  ["If-Match", '"other"'],
  ["If-None-Match", "*"],
  ["If-Unmodified-Since", "Thu, 01 Jan 1970 00:00:00 GMT"],
] as const;

test.each(each)("%s: its example request succeeds", async (_, operation) => {
  const { fill, path, headers, content, after } = await exampleOf(operation);
  // If a refused request changed something all the same, the example after it would fail.
  for (const [name, value] of refusesConditions(operation) ? conditions : []) {
    const conditional = { ...headers, [name]: value };
    const refused = await send(site, operation.method, path, conditional, content);
    expect(expectFault(refused, 400)).toContain(
      `takes no condition, but the request has \`${name}\``,
    );
  }
  if (fill !== undefined) {
    const command = fill((await readSamples(operation)).curl?.split("\n\n")[0] ?? "");
    const { apiKey } = server;
    const status = await pasteCommand(command, { url, apiKey, cookie: headers.Cookie ?? "" });
    expect(status, command).toBe(successStatus(operation));
    return;
  }
  const response = await send(site, operation.method, path, headers, content);
  expect(response.status, response.text).toBe(successStatus(operation));
  await after(response);
});

describe("the audit log", () => {
  const shape = z.object({
    activity: z.array(z.object({ action: z.string() })),
    nextCursor: z.string().nullable(),
  });
  async function recorded(): Promise<Set<string>> {
    const actions = new Set<string>();
    let cursor: string | null = "";
    while (cursor !== null) {
      const page = await a.get(`/api/activity?limit=200${cursor && `&cursor=${cursor}`}`);
      const { activity, nextCursor }: z.infer<typeof shape> = expectData(page, shape);
      for (const { action } of activity) actions.add(action);
      cursor = nextCursor;
    }
    return actions;
  }
  const audited = all
    .filter(
      ({ audit, response }) =>
        audit !== null && audit.ignores?.(successStatus({ response })) !== true,
    )
    .map(({ id }) => id);

  test("contains every audited operation and no other", async () => {
    await eventually("every audited operation is recorded", async () =>
      (await recorded()).isSupersetOf(new Set(audited)),
    );
    expect([...(await recorded())].toSorted()).toEqual(audited.toSorted());
  });
});

/* The tests above run these commands, and `sdk-examples.test.ts` compiles the TypeScript. */
test.each(each)("the reference shows %s with its examples", async (_, operation) => {
  const samples = await readSamples(operation);
  expect(samples.curl).toBe(curlExample(operation));
  expect(samples.TypeScript).toBe(operation.example.sdk);
});

/** The code blocks of an operation in the reference, as the reader copies them, by their title. */
async function readSamples(operation: Operation): Promise<Record<string, string>> {
  const { pathname, hash } = new URL(operationUrl(operation), `${server.url}/docs/`);
  const { text } = await send(server, "GET", pathname);
  const start = text.indexOf(`id="${hash.slice(1)}"`);
  const section = text.slice(start, text.indexOf("</section>", start));
  const blocks = section.matchAll(
    /<figure class="sample" data-language="([^"]*)">.*?<code>(.*?)<\/code>/gs,
  );
  return Object.fromEntries([...blocks].map(([, title = "", code = ""]) => [title, textOf(code)]));
}

const textOf = (markup: string): string =>
  markup
    .replace(/<[^>]*>/g, "")
    .replace(/&(?:lt|gt|quot|amp|#39);/g, (entity) => CHARACTERS[entity] ?? entity);

const CHARACTERS: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&amp;": "&",
  "&#39;": "'",
};
