import { examineDatabaseUrl, examineRedisUrl } from "./advice/examine-addresses.ts";
import { examineLogLevel, examineRateLimit } from "./advice/examine-limits.ts";
import { examineTrustedProxies } from "./advice/examine-reach.ts";
import {
  examineAdminPassword,
  examineAuthSecret,
  examineInitialApiKey,
  examineInitialS3,
} from "./advice/examine-secrets.ts";
import { blobStoreNames, blobStores } from "./blob-stores.ts";
import { dataPath } from "./data-path.ts";
import { initialAccessKey, initialBuckets, MIN_S3_SECRET_LENGTH } from "./initial-s3.ts";
import { oidcVariables } from "./oidc-variables.ts";
import {
  addressAndPort,
  duration,
  durationOrNever,
  hostName,
  httpUrl,
  listenAddress,
  matching,
  oneOf,
  outgoingTargets,
  postgresUrl,
  proxies,
  redisUrl,
  shownAsScheme,
  size,
  text,
  textOfLength,
  trueOrFalse,
  wholeNumber,
} from "./schemas.ts";
import { settingVariables } from "./setting-variables.ts";
import { optional, shownAsLength, type Variable, withDefault } from "./variable.ts";

const MAX_RATE = 1_000_000_000;

/**
 * Every environment variable except those the blob stores define: its name, parser, default and meaning, and
 * what `doctor` says about its value. The table in docs/configuration.md is generated from this one.
 */
export const variables = {
  host: withDefault(
    "HOST",
    listenAddress,
    "127.0.0.1",
    "Address to listen on. Use `0.0.0.0` for all interfaces.",
  ),
  port: withDefault("PORT", wholeNumber(0, 65_535), "3000", "Port to listen on."),
  workers: withDefault(
    "WORKERS",
    wholeNumber(1, 64),
    "1",
    "Number of worker processes that share the port (Linux only). For delivery, use one per core. A supervisor process runs in addition. Each worker takes about 75 MB, and up to 16 connections with `DATABASE_URL`.",
  ),
  dataPath,
  databaseUrl: optional(
    "DATABASE_URL",
    postgresUrl,
    "Stores the catalog in PostgreSQL 15 or newer instead of SQLite: `postgres://user:password@host:5432/name`. See [PostgreSQL](#postgresql).",
    { shown: shownAsScheme, examine: examineDatabaseUrl },
  ),
  blobs: withDefault(
    "BLOBS",
    oneOf(blobStoreNames),
    "disk",
    "Where the file contents are stored: `disk` (in `DATA_PATH`) or `s3` (see [S3 storage](s3-storage.md)).",
  ),
  redisUrl: optional(
    "REDIS_URL",
    redisUrl,
    "Counts requests and failed sign-ins in Redis (6 or newer), so that several servers share one rate limit per client: `redis://:password@host:6379`, or `rediss://` for TLS. While Redis is unavailable, each server counts for itself. Redis should respond within 3 ms.",
    { shown: shownAsScheme, examine: examineRedisUrl },
  ),
  redisPrefix: withDefault(
    "REDIS_PREFIX",
    matching(/^[\x21-\x7e]{1,64}$/, "1 to 64 characters of printable ASCII without spaces"),
    "holdall:",
    "Prefix of the Redis keys. Give each instance its own when several share one Redis.",
  ),
  delivery: withDefault(
    "DELIVERY",
    oneOf(["stream", "redirect", "x-accel", "x-sendfile"]),
    "stream",
    "How file contents reach the client. `stream`: through Holdall. `redirect`: with a redirect to a presigned S3 URL that is valid for 50 to 60 seconds. `x-accel`: nginx sends the file (X-Accel-Redirect), see [nginx-x-accel.conf](../deploy/nginx-x-accel.conf). `x-sendfile`: Apache or lighttpd sends the file.",
  ),
  deliveryPrefix: withDefault(
    "DELIVERY_PREFIX",
    matching(/^\/(?:[\w.~-]+\/)+$/, "a path with a slash at both ends, such as /holdall-blobs/"),
    "/holdall-blobs/",
    "With `x-accel`: path of nginx's `internal` location for `DATA_PATH/blobs`.",
  ),
  publicUrl: optional(
    "PUBLIC_URL",
    httpUrl("https://files.example.com"),
    "Public address of the server, such as `https://files.example.com`. Set it behind a proxy: Holdall then accepts sessions from this origin only, and marks the cookie Secure if the address is https.",
  ),
  ...settingVariables,
  authSecret: optional(
    "AUTH_SECRET",
    text,
    "Secret that signs URLs, at least 32 characters. The secret access keys of S3 clients are derived from it. Changing it invalidates all signed URLs, and gives every API key new S3 credentials.",
    {
      defaultText: "generated, stored in the data folder",
      shown: shownAsLength,
      examine: examineAuthSecret,
    },
  ),
  apiRequestsPerMinute: withDefault(
    "RATE_LIMIT_API",
    wholeNumber(0, MAX_RATE),
    "300",
    "Requests per client and minute on `/api` and `/auth`. 0 means no limit.",
    { examine: (config) => examineRateLimit("RATE_LIMIT_API", config.apiRequestsPerMinute) },
  ),
  hostingRequestsPerMinute: withDefault(
    "RATE_LIMIT_HOSTING",
    wholeNumber(0, MAX_RATE),
    "600",
    "Requests per client and minute on hosting URLs. 0 means no limit.",
    {
      examine: (config) => examineRateLimit("RATE_LIMIT_HOSTING", config.hostingRequestsPerMinute),
    },
  ),
  linkRequestsPerMinute: withDefault(
    "RATE_LIMIT_LINKS",
    wholeNumber(0, MAX_RATE),
    "3000",
    "Requests per client and minute on the pages of shared links, thumbnails included. 0 means no limit.",
    { examine: (config) => examineRateLimit("RATE_LIMIT_LINKS", config.linkRequestsPerMinute) },
  ),
  s3RequestsPerMinute: withDefault(
    "RATE_LIMIT_S3",
    wholeNumber(0, MAX_RATE),
    "30000",
    "Requests of the [S3 API](s3.md) per client and minute. 0 means no limit.",
    { examine: (config) => examineRateLimit("RATE_LIMIT_S3", config.s3RequestsPerMinute) },
  ),
  sessionRequestsPerMinute: withDefault(
    "RATE_LIMIT_SESSION",
    wholeNumber(0, MAX_RATE),
    "6000",
    "Requests per minute of a session of the dashboard, on `/api`, `/auth` and hosting URLs together. They do not count against the limits of the client. 0 means no limit.",
    {
      examine: (config) => examineRateLimit("RATE_LIMIT_SESSION", config.sessionRequestsPerMinute),
    },
  ),
  s3ApiDomain: optional(
    "S3_API_DOMAIN",
    hostName,
    "Host name of the [S3 API](s3.md), such as `s3.example.com`, without a port: every request to it is one of the S3 API, and `BUCKET.s3.example.com` is a bucket. Without it, only signed requests and forms are.",
  ),
  s3Port: optional(
    "S3_PORT",
    wholeNumber(0, 65_535),
    "Second port, such as `9000`, on which every request is one of the [S3 API](s3.md): without a signature, it reads public objects. See [In place of MinIO](in-place-of-minio.md).",
  ),
  acceptsSignatureV2: withDefault(
    "S3_SIGNATURE_V2",
    trueOrFalse,
    "true",
    "Whether S3 clients may sign with Version 2, as older SDKs do by default when they presign URLs. `false` leaves Version 4.",
  ),
  acceptsEncryption: withDefault(
    "S3_ACCEPT_SSE",
    trueOrFalse,
    "false",
    "`true` says that the volume or the store of the objects is encrypted: S3 clients may then ask for `x-amz-server-side-encryption: AES256`, and responses have it. The server itself encrypts nothing.",
  ),
  initialS3AccessKey: optional(
    "INITIAL_S3_ACCESS_KEY",
    initialAccessKey,
    "With `INITIAL_S3_SECRET_KEY`: credentials of the S3 API for all buckets, as long as the variables are set. They open nothing else, and are not stored.",
  ),
  initialS3SecretKey: optional(
    "INITIAL_S3_SECRET_KEY",
    matching(
      /^[\x21-\x7e]{8,512}$/,
      `${MIN_S3_SECRET_LENGTH} to 512 characters of printable ASCII without spaces`,
    ),
    "With `INITIAL_S3_ACCESS_KEY`: the secret, 8 to 512 characters. Use at least 16 random ones.",
    { shown: shownAsLength, examine: examineInitialS3 },
  ),
  initialBuckets: optional(
    "INITIAL_BUCKETS",
    initialBuckets,
    "Buckets that the start creates if they are missing, such as `uploads,assets:download`. New objects in `assets` are then public.",
  ),
  trustedProxies: optional(
    "TRUSTED_PROXIES",
    proxies,
    "Comma-separated addresses or ranges of the proxies whose `X-Forwarded-For` Holdall trusts.",
    { examine: examineTrustedProxies },
  ),
  outgoingAllow: optional(
    "OUTGOING_ALLOW",
    outgoingTargets,
    "Comma-separated hosts, addresses and ranges inside your network that webhooks and files from a URL may reach, each perhaps with a port: `app:3000, 10.0.0.0/8`. Public addresses need no entry; link-local ones are never reached. See [Webhooks](webhooks.md#receivers-in-your-own-network).",
  ),
  adminEmail: optional(
    "ADMIN_EMAIL",
    matching(/^[^\s@]+@[^\s@]+$/, "an email address"),
    "With `ADMIN_PASSWORD`: creates the administrator account on the first start.",
  ),
  adminPassword: optional(
    "ADMIN_PASSWORD",
    textOfLength(8, 256),
    "With `ADMIN_EMAIL`: password of the administrator account, 8 to 256 characters.",
    { isExact: true, shown: shownAsLength, examine: examineAdminPassword },
  ),
  ...oidcVariables,
  initialApiKey: optional(
    "INITIAL_API_KEY",
    matching(/^[\x21-\x7e]{16,512}$/, "16 to 512 characters of printable ASCII without spaces"),
    "API key (16 to 512 characters) that is installed on every start.",
    { shown: shownAsLength, examine: examineInitialApiKey },
  ),
  scrubEvery: optional(
    "SCRUB_EVERY",
    durationOrNever,
    "How often the server slowly rereads all files to detect damage, such as `30d` or `12h`; 0: never.",
    { defaultText: "`30d`; with `BLOBS=s3` never" },
  ),
  scrubRate: withDefault(
    "SCRUB_RATE",
    size(1024),
    "20mb",
    "Bytes per second that the scrub may read.",
  ),
  fileMemory: withDefault(
    "FILE_MEMORY",
    size(0),
    "16mb",
    "Size of the in-memory cache for files up to 64 KB that were read more than once recently, from disk or S3. 0 turns it off.",
  ),
  imageSpace: withDefault(
    "IMAGE_SPACE",
    size(0),
    "1gb",
    "Space in `DATA_PATH/variants` for [smaller sizes of images](images.md), of which the least recently used are removed. 0: none are made.",
  ),
  uploadExpiry: withDefault(
    "UPLOAD_EXPIRY",
    duration(1000, "a duration of at least 1s, such as 24h or 7d"),
    "24h",
    "How long an open resumable upload or batch stays after its last progress.",
  ),
  maxOpenUploads: withDefault(
    "MAX_OPEN_UPLOADS",
    wholeNumber(1, 1_000_000),
    "1000",
    "Maximum number of open resumable uploads, of open batches, and of open multipart uploads, of an API key or account.",
  ),
  logLevel: withDefault(
    "LOG_LEVEL",
    oneOf(["debug", "info", "warn", "error", "silent"]),
    "info",
    "`debug`, `info`, `warn`, `error` or `silent`.",
    { examine: examineLogLevel },
  ),
  accessLog: withDefault(
    "ACCESS_LOG",
    trueOrFalse,
    "false",
    "Whether each request is a line of JSON on standard error; see [Metrics](metrics.md).",
  ),
  metricsAddress: optional(
    "METRICS_ADDRESS",
    addressAndPort,
    "Address and port of the [metrics](metrics.md) for Prometheus, such as `127.0.0.1:9464`. Everybody who can reach it can read them.",
  ),
  nodeEnv: optional(
    "NODE_ENV",
    text,
    "`production` refuses an `AUTH_SECRET` shorter than 32 characters.",
  ),
};

/** Every variable in the order of the documentation: variables of the blob stores follow BLOBS. */
export const allVariables: readonly Variable<unknown>[] = Object.values(variables).flatMap(
  (variable: Variable<unknown>) => [
    variable,
    ...(variable === variables.blobs
      ? blobStoreNames.flatMap((name) =>
          Object.values<Variable<unknown>>(blobStores[name].variables),
        )
      : []),
  ],
);
