import { describe, expect, test } from "bun:test";
import { ConfigError } from "./config.ts";
import { KNOWN, S3, S3_KEYS } from "./read-config.fixture.ts";
import { readConfig } from "./read-config.ts";

type Environment = Readonly<Record<string, string>>;

const PROVIDER = {
  PUBLIC_URL: "https://files.example.com",
  OIDC_ISSUER: "https://id.example.com",
  OIDC_CLIENT_ID: "holdall",
  OIDC_CLIENT_SECRET: "secret",
};

/** The lines of the refusal; none where the environment is accepted. */
function mistakes(env: Environment): string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split("\n");
  }
}

describe("rejects, naming the variable and what is allowed,", () => {
  const rows: readonly [Environment, string][] = [
    [{ PORT: "65536" }, "a whole number from 0 to 65535"],
    [{ WORKERS: "0" }, "a whole number from 1 to 64"],
    [{ WORKERS: "65" }, "a whole number from 1 to 64"],
    [{ PORT: "-1" }, "a whole number"],
    [{ PORT: "+1" }, "a whole number"],
    [{ PORT: "0x50" }, "a whole number"],
    [{ PORT: "8e1" }, "a whole number"],
    [{ PORT: "80.0" }, "a whole number"],
    [{ PORT: "٣" }, "a whole number"],
    [{ PORT: "NaN" }, "a whole number"],
    [{ BLOBS: "tape" }, "disk or s3"],
    [{ DELIVERY: "redirect" }, "stream, x-accel or x-sendfile when BLOBS is disk"],
    [{ DELIVERY: "x-accel", ...S3, ...S3_KEYS }, "stream or redirect when BLOBS is s3"],
    [{ DELIVERY_PREFIX: "/blobs" }, "a path with a slash at both ends"],
    [{ DELIVERY_PREFIX: "//" }, "a path with a slash at both ends"],
    [{ DELIVERY_PREFIX: "/a b/" }, "a path with a slash at both ends"],
    [{ S3_BUCKET: "Files", BLOBS: "s3", ...S3_KEYS }, "the name of a bucket"],
    [{ S3_BUCKET: "", BLOBS: "s3", ...S3_KEYS }, "the name of a bucket"],
    [{ S3_SECRET_ACCESS_KEY: "", ...S3, S3_ACCESS_KEY_ID: "id" }, "given when BLOBS is s3"],
    [{ ...S3, ...S3_KEYS, S3_ACCESS_KEY_ID: "AKIA\u200b1" }, "printable ASCII without spaces"],
    [{ S3_ENDPOINT: "s3.example.com", ...S3, ...S3_KEYS }, "an http or https URL"],
    [{ S3_ENDPOINT: "https://id:key@s3.example.com", ...S3, ...S3_KEYS }, "an http or https URL"],
    [{ DATABASE_URL: "localhost:5432" }, "the URL of a PostgreSQL database"],
    [{ DATABASE_URL: "postgres://u:12#s3cr3t@localhost/name" }, "%23 for # and"],
    [{ DATABASE_URL: "postgres://u:12/s3cr3t@localhost/name" }, "%2F for /, %23 for #"],
    [{ DATABASE_URL: "postgres://u:12%s3cr3t@localhost/name" }, "%25 for % in the password"],
    [{ REDIS_URL: "redis://:12%s3cr3t@localhost" }, "%25 for % in the password"],
    [{ REDIS_URL: "localhost:6379" }, "the URL of a Redis"],
    [{ REDIS_URL: "http://:s3cr3t@localhost" }, "the URL of a Redis"],
    [{ REDIS_URL: "redis://:s3cr3t@localhost/one" }, "the URL of a Redis"],
    [{ REDIS_URL: "redis://:s3cr3t@localhost/1?db=2" }, "the URL of a Redis"],
    [{ REDIS_PREFIX: "a b" }, "printable ASCII"],
    [{ REDIS_PREFIX: "x".repeat(65) }, "1 to 64 characters"],
    [{ S3_TIMEOUT: "30", ...S3, ...S3_KEYS }, "a duration of at least 1s"],
    [{ S3_TIMEOUT: "0s", ...S3, ...S3_KEYS }, "a duration of at least 1s"],
    [{ S3_REGION: "eu central", ...S3, ...S3_KEYS }, "a region such as"],
    // No host name may contain it.
    [{ S3_REGION: "xn--", ...S3, ...S3_KEYS }, "a region such as"],
    [{ S3_FORCE_PATH_STYLE: "yes", ...S3, ...S3_KEYS }, "true or false"],
    [
      {
        ...{ S3_FORCE_PATH_STYLE: "false", S3_ENDPOINT: "http://[::1]:9000", ...S3 },
        ...S3_KEYS,
      },
      "true when S3_ENDPOINT is an IP address",
    ],
    [{ PUBLIC_URL: "files.example.com" }, "an http or https URL"],
    [{ PUBLIC_URL: "ftp://files.example.com" }, "an http or https URL"],
    [{ PUBLIC_URL: "https://files.example.com/?a" }, "an http or https URL"],
    [{ PUBLIC_URL: "https://files.example.com/?" }, "an http or https URL"],
    [{ PUBLIC_URL: "https://files.example.com/#" }, "an http or https URL"],
    [{ PUBLIC_URL: "https://:secret@files.example.com" }, "an http or https URL"],
    [{ PUBLIC_URL: "https://ada@files.example.com" }, "an http or https URL"],
    [{ LOG_LEVEL: "trace" }, "debug, info, warn, error or silent"],
    [{ DEFAULT_FILE_VISIBILITY: "secret" }, "public or private"],
    [{ SCRUB_EVERY: "30" }, "a duration such as 30d,"],
    [{ SCRUB_EVERY: "0d" }, "a duration"],
    [{ SCRUB_EVERY: "daily" }, "a duration"],
    [{ SCRUB_EVERY: "1.5d" }, "a duration"],
    [{ SCRUB_RATE: "1" }, "a size of at least 1024,"],
    [{ MAX_UPLOAD_SIZE: "0" }, "a size of at least 1,"],
    [{ MAX_UPLOAD_SIZE: "1.5gb" }, "a size"],
    [{ MAX_UPLOAD_SIZE: "9000tb0" }, "a size"],
    [{ MAX_UPLOAD_SIZE: "999999999999999tb" }, "a size"],
    [{ MAX_FILES_PER_REQUEST: "0" }, "from 1 to 10000"],
    [{ MAX_FILES_PER_REQUEST: "10001" }, "from 1 to 10000"],
    [{ MAX_DELETE_BATCH: "0" }, "from 1 to 10000"],
    [{ MAX_DELETE_BATCH: "10001" }, "from 1 to 10000"],
    [{ MAX_PRESIGN_TTL_SECONDS: "0" }, "from 1 to 3153600000"],
    [{ MAX_PRESIGN_TTL_SECONDS: "3153600001" }, "from 1 to 3153600000"],
    [{ DEFAULT_PRESIGN_TTL_SECONDS: "0" }, "from 1 to 604800"],
    [{ DEFAULT_PRESIGN_TTL_SECONDS: "604801" }, "from 1 to 604800"],
    [{ HOSTING_CACHE_MAX_AGE: "31536001" }, "from 0 to 31536000"],
    [{ ACTIVITY_RETENTION_DAYS: "36501" }, "from 0 to 36500"],
    [{ MIN_FREE_SPACE: "-1" }, "a size of at least 0,"],
    [{ RATE_LIMIT_API: "1000000001" }, "from 0 to 1000000000"],
    [{ RATE_LIMIT_HOSTING: "many" }, "from 0 to 1000000000"],
    [{ TRUSTED_PROXIES: "10.0.0.0/33" }, "addresses or ranges"],
    [{ TRUSTED_PROXIES: "127.0.0.1 ::1" }, "addresses or ranges"],
    [{ OUTGOING_ALLOW: "app:3000 10.0.0.0/8" }, "hosts, addresses or ranges"],
    [{ OUTGOING_ALLOW: "http://app:3000" }, "hosts, addresses or ranges"],
    [{ INITIAL_API_KEY: "k".repeat(15) }, "16 to 512 characters"],
    [{ INITIAL_API_KEY: "k".repeat(513) }, "16 to 512 characters"],
    [{ INITIAL_API_KEY: "sixteen letters and spaces" }, "without spaces"],
    [{ INITIAL_API_KEY: "é".repeat(16) }, "ASCII"],
    [{ INITIAL_API_KEY: "k".repeat(513) }, "16 to 512"],
    [{ INITIAL_API_KEY: "kkkkkkkk kkkkkkkk" }, "without spaces"],
    [{ ADMIN_EMAIL: "ada", ADMIN_PASSWORD: "12345678" }, "an email address"],
    [{ ADMIN_EMAIL: "ada@example.com" }, "given together with ADMIN_EMAIL"],
    [{ ADMIN_PASSWORD: "12345678" }, "given together with ADMIN_PASSWORD"],
    [{ ADMIN_PASSWORD: "1234567", ADMIN_EMAIL: "a@b" }, "from 8 to 256 characters"],
    [{ ADMIN_PASSWORD: "x".repeat(257), ADMIN_EMAIL: "a@b" }, "from 8 to 256 characters"],
    [{ AUTH_SECRET: "s".repeat(31), NODE_ENV: "production" }, "at least 32 characters"],
    [{ OIDC_CLIENT_ID: "holdall" }, "given together with OIDC_ISSUER"],
    [{ OIDC_OWNERS: "admins" }, "given together with OIDC_ISSUER"],
    [{ OIDC_GROUPS_CLAIM: "roles" }, "given together with OIDC_ISSUER"],
    [{ PASSWORD_SIGN_IN: "false" }, "true without OIDC_ISSUER"],
    [{ PASSWORD_SIGN_IN: "no" }, "true or false"],
    [{ ...PROVIDER, PUBLIC_URL: "" }, "given together with OIDC_ISSUER"],
    [{ ...PROVIDER, OIDC_CLIENT_ID: "" }, "given together with OIDC_ISSUER"],
    [{ ...PROVIDER, OIDC_CLIENT_SECRET: "" }, "given together with OIDC_ISSUER"],
    [{ ...PROVIDER, OIDC_ISSUER: "id.example.com" }, "the issuer's https URL"],
    [{ ...PROVIDER, OIDC_ISSUER: "https://a:b@id.example.com" }, "the issuer's https URL"],
    [
      { ...PROVIDER, OIDC_ISSUER: "https://id.example.com/.well-known/openid-configuration" },
      "without /.well-known/",
    ],
    [{ ...PROVIDER, OIDC_OWNERS: "admins,@example.com" }, "email addresses do not name owners"],
    [{ ...PROVIDER, OIDC_ALLOWED: "@" }, "domains such as @example.com"],
    [{ ...PROVIDER, OIDC_NAME: "x".repeat(41) }, "1 to 40 characters"],
  ];

  test.each(rows)("%j", (env, allowed) => {
    const [mistake, ...others] = mistakes(env);
    expect(others).toEqual([]);
    expect(mistake).toContain(allowed);
    expect(mistake).toEndWith(".");
    expect(KNOWN).toContain(mistake?.split(" ")[0] ?? "");
  });
});

test("shows a wrong value as given", () => {
  expect(mistakes({ PORT: " 80 80 " })).toEqual([
    'PORT is "80 80", but must be a whole number from 0 to 65535.',
  ]);
});

test("limits the default validity of signed URLs to the given maximum", () => {
  const env = { MAX_PRESIGN_TTL_SECONDS: "100", DEFAULT_PRESIGN_TTL_SECONDS: "101" };
  expect(mistakes(env)).toEqual([
    'DEFAULT_PRESIGN_TTL_SECONDS is "101", but must be a whole number from 1 to 100.',
  ]);
});

test("reports all mistakes at once, a line for each", () => {
  const wrong: Environment = {
    PORT: "x",
    PUBLIC_URL: "x",
    LOG_LEVEL: "x",
    DEFAULT_FILE_VISIBILITY: "x",
    MAX_UPLOAD_SIZE: "x",
    MAX_FILES_PER_REQUEST: "x",
    MAX_DELETE_BATCH: "x",
    DEFAULT_PRESIGN_TTL_SECONDS: "x",
    MAX_PRESIGN_TTL_SECONDS: "x",
    HOSTING_CACHE_MAX_AGE: "x",
    MIN_FREE_SPACE: "x",
    RATE_LIMIT_API: "x",
    RATE_LIMIT_HOSTING: "x",
    TRUSTED_PROXIES: "x",
    ADMIN_EMAIL: "x",
    ADMIN_PASSWORD: "x",
    INITIAL_API_KEY: "x",
    AUTH_SECRET: "x",
    NODE_ENV: "production",
  };
  const named = mistakes(wrong).map((line) => line.split(" ")[0]);
  const { NODE_ENV: _, ...expected } = wrong;
  expect(named.sort()).toEqual(Object.keys(expected).sort());
});

test("never shows a secret", () => {
  const secrets = { INITIAL_API_KEY: "q1w2e3", AUTH_SECRET: "r4t5y6", ADMIN_PASSWORD: "u7i8o9" };
  const lines = mistakes({ ...secrets, NODE_ENV: "production", ADMIN_EMAIL: "a@b" });
  expect(lines).toHaveLength(3);
  for (const secret of Object.values(secrets)) expect(lines.join()).not.toContain(secret);
  const [line, ...others] = mistakes({ OIDC_CLIENT_SECRET: "q1w2e3r4" });
  expect(others).toEqual([]);
  expect(line).not.toContain("q1w2e3r4");
});
