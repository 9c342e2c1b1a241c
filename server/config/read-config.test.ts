import { describe, expect, test } from "bun:test";
import { resolve } from "node:path";
import type { Config } from "./config.ts";
import { KNOWN, S3, S3_KEYS } from "./read-config.fixture.ts";
import { readConfig } from "./read-config.ts";

type Environment = Readonly<Record<string, string>>;

const read = (env: Environment): Config => readConfig(env);

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
    accessLog: false,
    metricsAddress: null,
    settings: {},
    authSecret: null,
    apiRequestsPerMinute: 300,
    hostingRequestsPerMinute: 600,
    linkRequestsPerMinute: 3_000,
    s3RequestsPerMinute: 30_000,
    sessionRequestsPerMinute: 6000,
    s3ApiDomain: null,
    s3Port: null,
    acceptsSignatureV2: true,
    acceptsEncryption: false,
    initialS3: null,
    initialBuckets: [],
    minioNames: [],
    trustedProxies: [],
    outgoingAllow: [],
    administrator: null,
    oidc: null,
    passwordSignIn: true,
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

const PROVIDER = {
  PUBLIC_URL: "https://files.example.com",
  OIDC_ISSUER: "https://id.example.com/o/holdall/",
  OIDC_CLIENT_ID: "holdall",
  OIDC_CLIENT_SECRET: "secret",
};

test("reads a provider to sign in with", () => {
  const others = {
    OIDC_OWNERS: "admins, sub:7 ,group:a b,",
    OIDC_ALLOWED: "@Example.com,staff",
    OIDC_NAME: "Example ID",
    OIDC_GROUPS_CLAIM: "roles",
    PASSWORD_SIGN_IN: "false",
  };
  expect(read(PROVIDER)).toMatchObject({
    passwordSignIn: true,
    oidc: {
      // The slash belongs to it.
      issuer: "https://id.example.com/o/holdall/",
      clientId: "holdall",
      clientSecret: "secret",
      name: "id.example.com",
      owners: [],
      allowed: [],
      groupsClaim: "groups",
    },
  });
  expect(read({ ...PROVIDER, ...others })).toMatchObject({
    passwordSignIn: false,
    oidc: {
      name: "Example ID",
      owners: [
        { kind: "any", value: "admins" },
        { kind: "subject", value: "7" },
        { kind: "group", value: "a b" },
      ],
      allowed: [
        { kind: "domain", value: "example.com" },
        { kind: "any", value: "staff" },
      ],
      groupsClaim: "roles",
    },
  });
});

describe("accepts", () => {
  const key = "k".repeat(16);
  const secret = "s".repeat(32);
  const rows: readonly [Environment, Partial<Config>][] = [
    [{ HOST: "::" }, { host: "::" }],
    [{ HOST: "[::1]" }, { host: "::1" }],
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
        BLOBS: "s3",
        DELIVERY: "redirect",
        S3_BUCKET: "files",
        S3_REGION: "eu-central-1",
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
