import { describe, expect, test } from "bun:test";
import { resolve } from "node:path";
import { type Config, ConfigError } from "./config.ts";
import { readConfig } from "./read-config.ts";
import { allVariables } from "./variables.ts";

type Environment = Readonly<Record<string, string>>;

const read = (env: Environment): Config => readConfig(env);

/** The lines of the refusal; none where the environment is accepted. */
function mistakes(env: Environment): string[] {
  try {
    read(env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split("\n");
  }
}

test("an empty environment gives the defaults", () => {
  const defaults: Config = {
    host: "127.0.0.1",
    port: 3000,
    workers: 1,
    dataPath: resolve("data"),
    catalog: { driver: "sqlite", settings: {} },
    blobs: { driver: "disk", settings: {} },
    redis: null,
    delivery: "stream",
    deliveryPrefix: "/holdall-blobs/",
    publicUrl: null,
    production: false,
    logLevel: "info",
    settings: {},
    authSecret: null,
    apiRequestsPerMinute: 300,
    hostingRequestsPerMinute: 600,
    linkRequestsPerMinute: 3_000,
    s3RequestsPerMinute: 30_000,
    sessionRequestsPerMinute: 6000,
    s3ApiDomain: null,
    trustedProxies: [],
    administrator: null,
    initialApiKey: null,
    scrubEvery: 30 * 86_400_000,
    scrubRate: 20 * 1024 ** 2,
    fileMemory: 16 * 1024 ** 2,
    imageSpace: 1024 ** 3,
    uploadExpiry: 24 * 3600 * 1000,
    maxOpenUploads: 1000,
  };
  expect(read({})).toEqual(defaults);
  expect(read(Object.fromEntries(KNOWN.map((name) => [name, ""])))).toEqual(defaults);
});

test("reads every variable of the table, and no other", () => {
  const names = new Set<string>();
  const env = new Proxy<Record<string, string>>(
    { BLOBS: "s3", S3_BUCKET: "files", S3_ACCESS_KEY_ID: "id", S3_SECRET_ACCESS_KEY: "secret" },
    {
      get(target, name) {
        if (typeof name === "string") names.add(name);
        return typeof name === "string" ? target[name] : undefined;
      },
    },
  );
  readConfig(env);
  expect([...names].sort()).toEqual([...KNOWN].sort());
});

test("the configuration is frozen", () => {
  expect(Object.isFrozen(read({}))).toBe(true);
});

const S3_KEYS = { S3_ACCESS_KEY_ID: "id", S3_SECRET_ACCESS_KEY: "secret" };

const S3 = { BLOBS: "s3", S3_BUCKET: "files" };

const KNOWN = allVariables.map(({ name }) => name);

describe("accepts", () => {
  const key = "k".repeat(16);
  const secret = "s".repeat(32);
  const rows: readonly [Environment, Partial<Config>][] = [
    [{ HOST: "::" }, { host: "::" }],
    [{ BLOBS: "disk", S3_BUCKET: "Not looked at" }, { blobs: { driver: "disk", settings: {} } }],
    [
      { BLOBS: "S3", S3_BUCKET: "some.files-1", ...S3_KEYS },
      {
        blobs: {
          driver: "s3",
          settings: {
            endpoint: "https://s3.us-east-1.amazonaws.com",
            bucket: "some.files-1",
            region: "us-east-1",
            accessKeyId: "id",
            secretAccessKey: "secret",
            forcePathStyle: false,
            timeout: 30_000,
          },
        },
      },
    ],
    [
      { BLOBS: "s3", S3_BUCKET: "files", S3_REGION: "EU-West-1", ...S3_KEYS },
      {
        blobs: {
          driver: "s3",
          settings: {
            endpoint: "https://s3.eu-west-1.amazonaws.com",
            bucket: "files",
            region: "EU-West-1",
            accessKeyId: "id",
            secretAccessKey: "secret",
            forcePathStyle: false,
            timeout: 30_000,
          },
        },
      },
    ],
    [
      {
        ...{ BLOBS: "s3", DELIVERY: "redirect", S3_BUCKET: "files", S3_REGION: "eu-central-1" },
        ...{ S3_ENDPOINT: "http://127.0.0.1:9000/store/", S3_TIMEOUT: "2m", ...S3_KEYS },
      },
      {
        delivery: "redirect",
        blobs: {
          driver: "s3",
          settings: {
            endpoint: "http://127.0.0.1:9000/store",
            bucket: "files",
            region: "eu-central-1",
            accessKeyId: "id",
            secretAccessKey: "secret",
            forcePathStyle: true,
            timeout: 120_000,
          },
        },
      },
    ],
    [
      { DATABASE_URL: "postgresql://u:p%40%2F%23@[::1]:5433/n?sslmode=verify-full" },
      {
        catalog: {
          driver: "postgres",
          settings: { url: "postgresql://u:p%40%2F%23@[::1]:5433/n?sslmode=verify-full" },
        },
      },
    ],
    [
      { DATABASE_URL: "postgres://u:p@/name?host=/run/postgresql" },
      {
        catalog: {
          driver: "postgres",
          settings: { url: "postgres://u:p@localhost/name?host=/run/postgresql" },
        },
      },
    ],
    [{ SCRUB_EVERY: "12H" }, { scrubEvery: 12 * 3_600_000 }],
    [{ SCRUB_EVERY: "90m" }, { scrubEvery: 5_400_000 }],
    [{ SCRUB_EVERY: "2 w" }, { scrubEvery: 14 * 86_400_000 }],
    [{ SCRUB_EVERY: "45s" }, { scrubEvery: 45_000 }],
    [{ SCRUB_EVERY: "0" }, { scrubEvery: null }],
    [{ SCRUB_RATE: "5mb" }, { scrubRate: 5 * 1024 ** 2 }],
    [{ FILE_MEMORY: "8mb" }, { fileMemory: 8 * 1024 ** 2 }],
    [{ FILE_MEMORY: "0" }, { fileMemory: 0 }],
    [{ HOST: " 0.0.0.0 " }, { host: "0.0.0.0" }],
    [{ PORT: "0" }, { port: 0 }],
    [{ PORT: "65535" }, { port: 65_535 }],
    [{ PORT: " 8080 " }, { port: 8080 }],
    [
      { DELIVERY: "x-accel", DELIVERY_PREFIX: "/own/bytes/" },
      { delivery: "x-accel", deliveryPrefix: "/own/bytes/" },
    ],
    [{ WORKERS: "64" }, { workers: 64 }],
    [{ DATA_PATH: "/srv/files/" }, { dataPath: "/srv/files" }],
    [{ DATA_PATH: "my data" }, { dataPath: resolve("my data") }],
    [{ PUBLIC_URL: "https://files.example.com" }, { publicUrl: "https://files.example.com" }],
    [{ PUBLIC_URL: "https://files.example.com//" }, { publicUrl: "https://files.example.com" }],
    [{ PUBLIC_URL: "HTTP://Example.com:80/f/" }, { publicUrl: "http://example.com/f" }],
    [{ PUBLIC_URL: "https://example.com/@ada" }, { publicUrl: "https://example.com/@ada" }],
    [{ NODE_ENV: "production" }, { production: true }],
    [{ NODE_ENV: "development" }, { production: false }],
    [{ LOG_LEVEL: "silent" }, { logLevel: "silent" }],
    [{ LOG_LEVEL: "WARN" }, { logLevel: "warn" }],
    [{ DEFAULT_FILE_VISIBILITY: "Private" }, { settings: { defaultVisibility: "private" } }],
    [{ MAX_UPLOAD_SIZE: "1" }, { settings: { maxUploadSize: 1 } }],
    [{ MAX_UPLOAD_SIZE: "500mb" }, { settings: { maxUploadSize: 500 * 1024 ** 2 } }],
    [{ MAX_FILES_PER_REQUEST: "1" }, { settings: { maxFilesPerRequest: 1 } }],
    [{ MAX_FILES_PER_REQUEST: "10000" }, { settings: { maxFilesPerRequest: 10_000 } }],
    [{ MAX_DELETE_BATCH: "1" }, { settings: { maxDeleteBatch: 1 } }],
    [{ MAX_DELETE_BATCH: "10000" }, { settings: { maxDeleteBatch: 10_000 } }],
    [{ MAX_PRESIGN_TTL_SECONDS: "3153600000" }, { settings: { maxPresignSeconds: 3_153_600_000 } }],
    [{ MAX_PRESIGN_TTL_SECONDS: "60" }, { settings: { maxPresignSeconds: 60 } }],
    [{ DEFAULT_PRESIGN_TTL_SECONDS: "1" }, { settings: { defaultPresignSeconds: 1 } }],
    [{ DEFAULT_PRESIGN_TTL_SECONDS: "604800" }, { settings: { defaultPresignSeconds: 604_800 } }],
    [{ HOSTING_CACHE_MAX_AGE: "31536000" }, { settings: { hostingCacheSeconds: 31_536_000 } }],
    [{ ACTIVITY_RETENTION_DAYS: "0" }, { settings: { activityRetentionDays: 0 } }],
    [{ TRASH_DAYS: "0" }, { settings: { trashDays: 0 } }],
    [{ TRASH_DELETIONS: "True" }, { settings: { trashDeletions: true } }],
    [{ KEEP_VERSIONS: "false" }, { settings: { keepVersions: false } }],
    [{ MIN_FREE_SPACE: "0" }, { settings: { minFreeSpace: 0 } }],
    [{ AUTH_SECRET: "short" }, { authSecret: "short" }],
    [{ AUTH_SECRET: secret, NODE_ENV: "production" }, { authSecret: secret }],
    [{ RATE_LIMIT_API: "0" }, { apiRequestsPerMinute: 0 }],
    [{ RATE_LIMIT_HOSTING: "1000000000" }, { hostingRequestsPerMinute: 1_000_000_000 }],
    [{ TRUSTED_PROXIES: "127.0.0.1" }, { trustedProxies: ["127.0.0.1"] }],
    [{ TRUSTED_PROXIES: ", ::1 ,10.0.0.0/8," }, { trustedProxies: ["::1", "10.0.0.0/8"] }],
    [{ INITIAL_API_KEY: key }, { initialApiKey: key }],
    [{ INITIAL_API_KEY: key.repeat(32) }, { initialApiKey: key.repeat(32) }],
    [
      { ADMIN_EMAIL: " Ada@Example.com ", ADMIN_PASSWORD: "12345678" },
      { administrator: { email: "ada@example.com", password: "12345678" } },
    ],
    [
      { ADMIN_EMAIL: "a@b", ADMIN_PASSWORD: ` ${"x".repeat(254)} ` },
      { administrator: { email: "a@b", password: ` ${"x".repeat(254)} ` } },
    ],
  ];

  test.each(rows)("%j", (env, expected) => {
    expect(read(env)).toEqual({ ...read({}), production: false, ...pick(env), ...expected });
  });

  test("no scrub by default with blobs on S3", () => {
    expect(read({ ...S3, ...S3_KEYS })).toMatchObject({ scrubEvery: null });
    const given = { SCRUB_EVERY: "60d" };
    expect(read({ ...S3, ...S3_KEYS, ...given })).toMatchObject({ scrubEvery: 60 * 86_400_000 });
  });

  /** What a row sets besides its own variable. */
  const pick = (env: Environment): Partial<Config> => ({
    production: env.NODE_ENV === "production",
    ...(env.BLOBS?.toLowerCase() === "s3" ? { scrubEvery: null } : {}),
  });
});

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
});
