import { expect, test } from "bun:test";
import type { Identity, RequestCredentials } from "../../access/authenticate.ts";
import { BY_PASSWORD, OWNER } from "../../access/credentials.fixture.ts";
import { createMemoryRateLimit } from "../../limits/memory-rate-limit.ts";
import { createSessionLimit } from "./session-limit.ts";

const credentials: RequestCredentials = {
  method: "GET",
  host: "localhost",
  origin: null,
  secFetchSite: null,
  secFetchDest: null,
  publicOrigin: null,
  apiKey: null,
  cookie: null,
  secure: false,
};
const identity: Identity = {
  kind: "session",
  account: { id: "a", email: "ada@example.com", passwordHash: "", createdAt: 0, ...OWNER },
  session: {
    id: "s",
    accountId: "a",
    userAgent: "",
    address: "",
    createdAt: 0,
    lastSeenAt: 0,
    ...BY_PASSWORD,
    expiresAt: 0,
  },
};

/** A limit of 5 requests, whose only live token is "live". */
function open() {
  let time = 0;
  const lookups: string[] = [];
  const sessions = createSessionLimit({
    limit: createMemoryRateLimit({ limit: 5, now: () => time }),
    authenticate: async ({ cookie }) => {
      lookups.push(cookie ?? "");
      return cookie === "live" ? identity : undefined;
    },
    now: () => time,
  });
  return {
    lookups,
    cacheToken: sessions.cacheToken,
    take: async (token: string, client = "c") =>
      sessions.take({ token, client, credentials: { ...credentials, cookie: token } }),
    pass: (ms: number) => {
      time += ms;
    },
  };
}

test("looks up a token once a minute, and counts its session", async () => {
  const { take, lookups, pass } = open();
  for (let sent = 0; sent < 5; sent += 1) expect(await take("live")).toEqual({ allowed: true });
  expect(await take("live")).toEqual({ allowed: false, retryAfter: 60 });
  expect(lookups).toEqual(["live"]);
  pass(60_000);
  expect(await take("live")).toEqual({ allowed: true });
  expect(lookups).toEqual(["live", "live"]);
});

test("looks up at most 60 unknown tokens per client and minute", async () => {
  const { take, lookups, pass } = open();
  for (let sent = 0; sent < 200; sent += 1) expect(await take(`invented ${sent}`)).toBeUndefined();
  expect(lookups).toHaveLength(60);
  expect(await take("live")).toBeUndefined();
  expect(await take("live", "another client")).toEqual({ allowed: true });
  pass(60_000);
  expect(await take("live")).toEqual({ allowed: true });
});

test("a session in use needs no lookups, so that others at its address cannot use them up", async () => {
  const { take, cacheToken, lookups, pass } = open();
  for (let sent = 0; sent < 60; sent += 1) await take(`invented ${sent}`);
  for (let minute = 0; minute < 3; minute += 1) {
    cacheToken("live", "s");
    pass(59_000);
    expect(await take("live")).toEqual({ allowed: true });
  }
  expect(lookups).toHaveLength(60);
});
