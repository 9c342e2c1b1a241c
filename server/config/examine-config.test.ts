import { expect, test } from "bun:test";
import { examineConfig } from "./examine-config.ts";
import { readConfig } from "./read-config.ts";

const RANDOM = "q8Zr2LxV0nTf5KyWc7HdJm3PbSgA9uEo";

const adviceOn = (env: Readonly<Record<string, string>>) =>
  examineConfig(readConfig(env)).map(({ severity, problem }) => `${severity}: ${problem}`);

const s3Environment = {
  BLOBS: "s3",
  S3_BUCKET: "files",
  S3_ACCESS_KEY_ID: "holdall",
  S3_SECRET_ACCESS_KEY: RANDOM,
};

test("has nothing to say about the defaults and a server behind a proxy", () => {
  expect(adviceOn({})).toEqual([]);
  expect(
    adviceOn({
      NODE_ENV: "production",
      PUBLIC_URL: "https://files.example.com",
      TRUSTED_PROXIES: "127.0.0.1",
      AUTH_SECRET: RANDOM,
      INITIAL_API_KEY: RANDOM,
      ADMIN_EMAIL: "ada@example.com",
      ADMIN_PASSWORD: "correct horse battery",
    }),
  ).toEqual([]);
});

test("accepts a database and a store on this machine, or over TLS", () => {
  for (const address of ["@127.0.0.1/holdall", "@db.example.com/holdall?sslmode=verify-full"]) {
    expect(adviceOn({ DATABASE_URL: `postgres://holdall:secret${address}` })).toEqual([]);
  }
  for (const endpoint of ["http://127.0.0.1:9000", "https://store.example.com"]) {
    expect(adviceOn({ ...s3Environment, S3_ENDPOINT: endpoint })).toEqual([]);
  }
  for (const url of ["redis://:secret@127.0.0.1", "rediss://:secret@redis.example.com"]) {
    expect(adviceOn({ REDIS_URL: url })).toEqual([]);
  }
});

test("warns of a provider on another machine without TLS", () => {
  const client = {
    PUBLIC_URL: "https://files.example.com",
    NODE_ENV: "production",
    TRUSTED_PROXIES: "127.0.0.1",
    OIDC_CLIENT_ID: "holdall",
    OIDC_CLIENT_SECRET: "secret",
  };
  for (const issuer of ["https://id.example.com", "http://127.0.0.1:8080/realms/main"]) {
    expect(adviceOn({ ...client, OIDC_ISSUER: issuer })).toEqual([]);
  }
  expect(adviceOn({ ...client, OIDC_ISSUER: "http://id.example.com" })).toEqual([
    expect.stringContaining("OIDC_ISSUER begins with http"),
  ]);
});

const cases: readonly (readonly [Readonly<Record<string, string>>, RegExp])[] = [
  [{ HOST: "0.0.0.0", NODE_ENV: "production" }, /^error: HOST is 0\.0\.0\.0.*unencrypted/],
  [
    { HOST: "10.0.0.5", PUBLIC_URL: "http://files.example.com", NODE_ENV: "production" },
    /^error: PUBLIC_URL begins with http/,
  ],
  [
    { HOST: "::", PUBLIC_URL: "https://files.example.com", NODE_ENV: "production" },
    /^warning: HOST is ::.*bypass the proxy/,
  ],
  [
    { PUBLIC_URL: "https://files.example.com", NODE_ENV: "production" },
    /^error: .*TRUSTED_PROXIES is empty/,
  ],
  [
    { PUBLIC_URL: "https://files.example.com", TRUSTED_PROXIES: "127.0.0.1" },
    /^warning: NODE_ENV is not production/,
  ],
  [{ TRUSTED_PROXIES: "127.0.0.1, 0.0.0.0/0" }, /^error: TRUSTED_PROXIES contains 0\.0\.0\.0\/0/],
  [{ TRUSTED_PROXIES: "::/0" }, /^error: TRUSTED_PROXIES contains ::\/0/],
  [
    { TRUSTED_PROXIES: "128.0.0.0/1, 0.0.0.0/1" },
    /^error: TRUSTED_PROXIES contains 128\.0\.0\.0\/1/,
  ],
  [
    { TRUSTED_PROXIES: "::ffff:0.0.0.0/96" },
    /^error: TRUSTED_PROXIES contains ::ffff:0\.0\.0\.0\/96/,
  ],
  [{ TRUSTED_PROXIES: "10.0.0.0/8, fc00::/7, 2000::/3" }, /^error: .* contains 2000::\/3/],
  [{ AUTH_SECRET: "short-secret" }, /^error: AUTH_SECRET has 12 characters/],
  [{ AUTH_SECRET: "abcabc".repeat(10) }, /^error: AUTH_SECRET repeats/],
  [{ INITIAL_API_KEY: "key-0123456789abcdef" }, /^error: INITIAL_API_KEY is short/],
  [{ INITIAL_API_KEY: "a".repeat(40) }, /^error: INITIAL_API_KEY is short or repeats/],
  [{ ADMIN_EMAIL: "a@b.c", ADMIN_PASSWORD: "hunter22" }, /^warning: ADMIN_PASSWORD/],
  [{ DATABASE_URL: "postgres://holdall:secret@db.example.com/holdall" }, /^warning: DATABASE_URL/],
  [{ ...s3Environment, S3_ENDPOINT: "http://store.example.com" }, /^warning: S3_ENDPOINT/],
  [{ REDIS_URL: "redis://:secret@redis.example.com" }, /^warning: REDIS_URL/],
  [{ DELIVERY: "x-accel" }, /^warning: DELIVERY is x-accel and PUBLIC_URL is not set/],
  [{ RATE_LIMIT_API: "0" }, /^warning: RATE_LIMIT_API is 0/],
  [{ RATE_LIMIT_HOSTING: "0" }, /^warning: RATE_LIMIT_HOSTING is 0/],
  [{ RATE_LIMIT_SESSION: "0" }, /^warning: RATE_LIMIT_SESSION is 0/],
  [{ MIN_FREE_SPACE: "0" }, /^warning: MIN_FREE_SPACE is 0/],
  [{ LOG_LEVEL: "silent" }, /^warning: LOG_LEVEL/],
];

test.each(cases)("%j", (env, advice) => {
  const [first = "", ...more] = adviceOn(env);
  expect(first).toMatch(advice);
  expect(more).toEqual([]);
  for (const secret of [
    env.AUTH_SECRET,
    env.INITIAL_API_KEY,
    env.ADMIN_PASSWORD,
    env.DATABASE_URL,
    env.REDIS_URL,
  ]) {
    if (secret !== undefined) expect(first).not.toContain(secret);
  }
});
