import { SAFE_SECRET_LENGTH } from "./advice/examine-secrets.ts";
import { blobStores } from "./blob-stores.ts";
import { type Config, ConfigError } from "./config.ts";
import {
  createEnvironmentReader,
  type Environment,
  type EnvironmentReader,
} from "./environment-reader.ts";
import { readOidc } from "./oidc-variables.ts";
import { listText } from "./schemas.ts";
import { readSettings } from "./setting-variables.ts";
import { variables } from "./variables.ts";

/** The configuration of a server. `names`: see `TranslatedEnvironment`. Throws `ConfigError`. */
export function readConfig(
  env: Environment,
  names: ReadonlyMap<string, string> = new Map(),
): Config {
  const reader = createEnvironmentReader(env, names);
  const { read } = reader;
  const redisUrl = read(variables.redisUrl);
  const redisPrefix = read(variables.redisPrefix);

  const config: Config = {
    host: read(variables.host),
    port: read(variables.port),
    workers: read(variables.workers),
    dataPath: read(variables.dataPath),
    catalog: readCatalog(reader),
    blobs: blobStores[read(variables.blobs)].read(reader),
    redis: redisUrl === null ? null : { url: redisUrl, prefix: redisPrefix },
    delivery: readDelivery(reader),
    deliveryPrefix: read(variables.deliveryPrefix),
    publicUrl: read(variables.publicUrl),
    production: read(variables.nodeEnv) === "production",
    logLevel: read(variables.logLevel),
    accessLog: read(variables.accessLog),
    metricsAddress: read(variables.metricsAddress),
    settings: readSettings(reader),
    authSecret: readAuthSecret(reader),
    apiRequestsPerMinute: read(variables.apiRequestsPerMinute),
    hostingRequestsPerMinute: read(variables.hostingRequestsPerMinute),
    linkRequestsPerMinute: read(variables.linkRequestsPerMinute),
    s3RequestsPerMinute: read(variables.s3RequestsPerMinute),
    sessionRequestsPerMinute: read(variables.sessionRequestsPerMinute),
    s3ApiDomain: read(variables.s3ApiDomain),
    s3Port: readS3Port(reader),
    acceptsSignatureV2: read(variables.acceptsSignatureV2),
    acceptsEncryption: read(variables.acceptsEncryption),
    initialS3: readInitialS3(reader),
    initialBuckets: read(variables.initialBuckets) ?? [],
    minioNames: [...names.values()],
    trustedProxies: read(variables.trustedProxies) ?? [],
    outgoingAllow: read(variables.outgoingAllow) ?? [],
    administrator: readAdministrator(reader),
    oidc: readOidc(reader, variables.publicUrl),
    passwordSignIn: read(variables.passwordSignIn),
    initialApiKey: read(variables.initialApiKey),
    scrubEvery: readScrubEvery(reader),
    scrubRate: read(variables.scrubRate),
    fileMemory: read(variables.fileMemory),
    imageSpace: read(variables.imageSpace),
    uploadExpiry: read(variables.uploadExpiry),
    maxOpenUploads: read(variables.maxOpenUploads),
  };
  if (reader.mistakes.length > 0) throw new ConfigError(reader.mistakes.join("\n"));
  return Object.freeze(config);
}

function readCatalog({ read }: EnvironmentReader): Config["catalog"] {
  const url = read(variables.databaseUrl);
  if (url === null) return { driver: "sqlite", settings: {} };
  return { driver: "postgres", settings: { url } };
}

/* Rules about two variables. */

function readScrubEvery({ read }: EnvironmentReader): Config["scrubEvery"] {
  const given = read(variables.scrubEvery);
  if (given === null) return blobStores[read(variables.blobs)].scrubEvery;
  return given === 0 ? null : given;
}

/** A pair that is only half given is refused. */
function readInitialS3({ read, isSet, reject }: EnvironmentReader): Config["initialS3"] {
  const { initialS3AccessKey: key, initialS3SecretKey: secret } = variables;
  if (!isSet(key) && !isSet(secret)) return null;
  if (!isSet(key)) reject(key, `given together with ${secret.name}`);
  if (!isSet(secret)) reject(secret, `given together with ${key.name}`);
  return { accessKeyId: read(key) ?? "", secretAccessKey: read(secret) ?? "" };
}

/** Two listeners need two ports. */
function readS3Port({ read, reject }: EnvironmentReader): Config["s3Port"] {
  const port = read(variables.s3Port);
  if (port !== null && port !== 0 && port === read(variables.port)) {
    reject(variables.s3Port, "another port than PORT");
  }
  return port;
}

function readDelivery({ read, reject }: EnvironmentReader): Config["delivery"] {
  const delivery = read(variables.delivery);
  const store = read(variables.blobs);
  const supported: readonly string[] = blobStores[store].deliveries;
  if (!supported.includes(delivery)) {
    reject(variables.delivery, `${listText(supported)} when BLOBS is ${store}`);
  }
  return delivery;
}

function readAuthSecret({ read, reject }: EnvironmentReader): string | null {
  const secret = read(variables.authSecret);
  const isShort = secret !== null && secret.length < SAFE_SECRET_LENGTH;
  if (isShort && read(variables.nodeEnv) === "production") {
    reject(
      variables.authSecret,
      `at least ${SAFE_SECRET_LENGTH} characters long when NODE_ENV is production`,
    );
  }
  return secret;
}

function readAdministrator({ read, isSet, reject }: EnvironmentReader): Config["administrator"] {
  const { adminEmail, adminPassword } = variables;
  if (!isSet(adminEmail) && !isSet(adminPassword)) return null;
  if (!isSet(adminEmail)) reject(adminEmail, "given together with ADMIN_PASSWORD");
  if (!isSet(adminPassword)) reject(adminPassword, "given together with ADMIN_EMAIL");
  return {
    email: read(adminEmail)?.toLowerCase() ?? "",
    password: read(adminPassword) ?? "",
  };
}
