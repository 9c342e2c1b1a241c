import { expect, test } from "bun:test";
import { readConfig } from "../../config/config.ts";
import { isProxyEntry } from "../../limits/client-address.ts";
import { examineConfig } from "./examine-config.ts";

const RANDOM = "q8Zr2LxV0nTf5KyWc7HdJm3PbSgA9uEo";

const told = (env: Readonly<Record<string, string>>) =>
  examineConfig(readConfig(env, isProxyEntry)).map(({ weight, what }) => `${weight}: ${what}`);

const onS3 = {
  BLOBS: "s3",
  S3_BUCKET: "files",
  S3_ACCESS_KEY_ID: "holdall",
  S3_SECRET_ACCESS_KEY: RANDOM,
};

test("the defaults, and a server behind a proxy as it should be, are well", () => {
  expect(told({})).toEqual([]);
  expect(
    told({
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

test("a database and a store nearby, or over TLS, are well", () => {
  for (const address of ["@127.0.0.1/holdall", "@db.example.com/holdall?sslmode=verify-full"]) {
    expect(told({ DATABASE_URL: `postgres://holdall:secret${address}` })).toEqual([]);
  }
  for (const endpoint of ["http://127.0.0.1:9000", "https://store.example.com"]) {
    expect(told({ ...onS3, S3_ENDPOINT: endpoint })).toEqual([]);
  }
  for (const url of ["redis://:secret@127.0.0.1", "rediss://:secret@redis.example.com"]) {
    expect(told({ REDIS_URL: url })).toEqual([]);
  }
});

const cases: readonly (readonly [Readonly<Record<string, string>>, RegExp])[] = [
  [{ HOST: "0.0.0.0", NODE_ENV: "production" }, /^wrong: HOST is 0\.0\.0\.0.*unencrypted/],
  [
    { HOST: "10.0.0.5", PUBLIC_URL: "http://files.example.com", NODE_ENV: "production" },
    /^wrong: PUBLIC_URL begins with http/,
  ],
  [
    { HOST: "::", PUBLIC_URL: "https://files.example.com", NODE_ENV: "production" },
    /^careful: HOST is ::.*past the proxy/,
  ],
  [
    { PUBLIC_URL: "https://files.example.com", NODE_ENV: "production" },
    /^wrong: .*TRUSTED_PROXIES is empty/,
  ],
  [
    { PUBLIC_URL: "https://files.example.com", TRUSTED_PROXIES: "127.0.0.1" },
    /^careful: NODE_ENV is not production/,
  ],
  [{ TRUSTED_PROXIES: "127.0.0.1, 0.0.0.0/0" }, /^wrong: TRUSTED_PROXIES holds 0\.0\.0\.0\/0/],
  [{ TRUSTED_PROXIES: "::/0" }, /^wrong: TRUSTED_PROXIES holds ::\/0/],
  [{ TRUSTED_PROXIES: "128.0.0.0/1, 0.0.0.0/1" }, /^wrong: TRUSTED_PROXIES holds 128\.0\.0\.0\/1/],
  [{ TRUSTED_PROXIES: "::ffff:0.0.0.0/96" }, /^wrong: TRUSTED_PROXIES holds ::ffff:0\.0\.0\.0\/96/],
  [{ TRUSTED_PROXIES: "10.0.0.0/8, fc00::/7, 2000::/3" }, /^wrong: .* holds 2000::\/3/],
  [{ AUTH_SECRET: "short-secret" }, /^wrong: AUTH_SECRET has 12 characters/],
  [{ AUTH_SECRET: "abcabc".repeat(10) }, /^wrong: AUTH_SECRET repeats/],
  [{ INITIAL_API_KEY: "key-0123456789abcdef" }, /^wrong: INITIAL_API_KEY is short/],
  [{ INITIAL_API_KEY: "a".repeat(40) }, /^wrong: INITIAL_API_KEY is short or repeats/],
  [{ ADMIN_EMAIL: "a@b.c", ADMIN_PASSWORD: "hunter22" }, /^careful: ADMIN_PASSWORD/],
  [{ DATABASE_URL: "postgres://holdall:secret@db.example.com/holdall" }, /^careful: DATABASE_URL/],
  [{ ...onS3, S3_ENDPOINT: "http://store.example.com" }, /^careful: S3_ENDPOINT/],
  [{ REDIS_URL: "redis://:secret@redis.example.com" }, /^careful: REDIS_URL/],
  [{ DELIVERY: "x-accel" }, /^careful: DELIVERY is x-accel and PUBLIC_URL is not set/],
  [{ RATE_LIMIT_API: "0" }, /^careful: RATE_LIMIT_API is 0/],
  [{ RATE_LIMIT_HOSTING: "0" }, /^careful: RATE_LIMIT_HOSTING is 0/],
  [{ MIN_FREE_SPACE: "0" }, /^careful: MIN_FREE_SPACE is 0/],
  [{ LOG_LEVEL: "silent" }, /^careful: LOG_LEVEL/],
];

test.each(cases)("%j", (env, advice) => {
  const [first = "", ...more] = told(env);
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
