import { type Config, SAFE_SECRET_LENGTH } from "../../config/config.ts";
import { parseRange } from "../../limits/ip-address.ts";
import { type Advice, careful, wrong } from "./advice.ts";

/** What the configuration alone tells. */
export function examineConfig(config: Config): Advice[] {
  return [
    ...examineReach(config),
    ...examineProxies(config),
    ...examineSecrets(config),
    ...examineStores(config),
    ...examineLimits(config),
  ];
}

const LOOPBACK = /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1|\[::1\]|localhost)$/i;

export const isLoopback = (host: string): boolean => LOOPBACK.test(host);

/** Whether others than this machine are meant to reach it. */
const isOpen = ({ host, publicUrl }: Config): boolean =>
  !isLoopback(host) || (publicUrl !== null && !isLoopback(new URL(publicUrl).hostname));

function examineReach(config: Config): Advice[] {
  const { host, publicUrl, production } = config;
  if (!isOpen(config)) return [];
  const found: Advice[] = [];
  if (publicUrl === null) {
    found.push(
      wrong(
        `HOST is ${host}, so other machines reach the server, and PUBLIC_URL is not set: passwords, keys and files go over the network unencrypted, and the session's cookie is not marked Secure.`,
        "Put a proxy that speaks TLS in front, set PUBLIC_URL to its https address, and HOST to 127.0.0.1 if it runs on this machine.",
      ),
    );
  } else if (publicUrl.startsWith("http:")) {
    found.push(
      wrong(
        "PUBLIC_URL begins with http: passwords, keys and files go over the network unencrypted.",
        "Have the proxy in front speak TLS and set PUBLIC_URL to its https address.",
      ),
    );
  } else if (!isLoopback(host)) {
    found.push(
      careful(
        `HOST is ${host}: whoever reaches this machine can go past the proxy, without TLS.`,
        "Set HOST to 127.0.0.1 if the proxy runs on this machine, or let only the proxy through to the port.",
      ),
    );
  }
  if (!production) {
    found.push(
      careful(
        "NODE_ENV is not production: an AUTH_SECRET that is too short would only be warned of.",
        "Set NODE_ENV to production.",
      ),
    );
  }
  return found;
}

/** Nobody's own network is larger: those are 10.0.0.0/8 and fc00::/7. */
const FEWEST_BITS = { ipv4: 8, ipv6: 7 } as const;

/** Two halves are everybody, too, and so are the addresses that stand for those of IPv4. */
function isEverybody(entry: string): boolean {
  const range = parseRange(entry);
  return range !== undefined && range.bits < FEWEST_BITS[range.network.kind()];
}

function examineProxies({ host, publicUrl, trustedProxies }: Config): Advice[] {
  const found: Advice[] = [];
  const everybody = trustedProxies.find(isEverybody);
  if (everybody !== undefined) {
    found.push(
      wrong(
        `TRUSTED_PROXIES holds ${everybody}, which is everybody or nearly: each request may say which client it comes from, so neither the limits nor the wait after wrong passwords hold.`,
        "List only the addresses of your own proxies.",
      ),
    );
  }
  if (publicUrl !== null && isLoopback(host) && trustedProxies.length === 0) {
    found.push(
      wrong(
        "PUBLIC_URL is set and HOST is this machine only, so a proxy stands in front, but TRUSTED_PROXIES is empty: all visitors count as one client and share one budget of requests and of wrong passwords.",
        "Set TRUSTED_PROXIES to the proxy's address, such as 127.0.0.1, and have it send X-Forwarded-For.",
      ),
    );
  }
  return found;
}

/** Whether what goes to the database and the store, and where it is sent from, is well. */
function examineStores({ catalog, blobs, redis, delivery, publicUrl }: Config): Advice[] {
  const found: Advice[] = [];
  const database = catalog.driver === "postgres" ? new URL(catalog.settings.url) : null;
  if (database !== null && isElsewhere(database) && !isEncrypted(database)) {
    found.push(
      careful(
        "DATABASE_URL leads to another machine without sslmode: names, and the hashes of keys, go there unencrypted.",
        "Add ?sslmode=verify-full to it, unless the line between is yours alone.",
      ),
    );
  }
  const store = blobs.driver === "s3" ? new URL(blobs.settings.endpoint) : null;
  if (store?.protocol === "http:" && isElsewhere(store)) {
    found.push(
      careful(
        "S3_ENDPOINT begins with http and leads to another machine: files go there unencrypted.",
        "Use its https address, unless the line between is yours alone.",
      ),
    );
  }
  const counts = redis === null ? null : new URL(redis.url);
  if (counts?.protocol === "redis:" && isElsewhere(counts)) {
    found.push(
      careful(
        "REDIS_URL begins with redis: and leads to another machine: its password and clients' addresses go there unencrypted.",
        "Use rediss:, unless the line between is yours alone.",
      ),
    );
  }
  if (delivery.startsWith("x-") && publicUrl === null) {
    found.push(
      careful(
        `DELIVERY is ${delivery} and PUBLIC_URL is not set: if no proxy stands in front that sends the bytes, visitors get files without any.`,
        "Set PUBLIC_URL to the proxy's address, so that it can be looked at, or leave DELIVERY out.",
      ),
    );
  }
  return found;
}

const isElsewhere = ({ hostname }: URL): boolean => hostname !== "" && !isLoopback(hostname);

const isEncrypted = ({ searchParams }: URL): boolean =>
  !["", "disable", "allow"].includes(searchParams.get("sslmode") ?? "") ||
  searchParams.get("ssl") === "true";

/** Fewer different characters were made up by a person, or are the same one again and again. */
const FEWEST_CHARACTERS = 10;
const SHORTEST_KEY = 32;
const SHORTEST_PASSWORD = 12;

const isMonotonous = (secret: string): boolean => new Set(secret).size < FEWEST_CHARACTERS;

function examineSecrets({ authSecret, initialApiKey, administrator }: Config): Advice[] {
  const found: Advice[] = [];
  const fresh = "Make one with: openssl rand -base64 48";
  if (authSecret !== null && authSecret.length < SAFE_SECRET_LENGTH) {
    found.push(
      wrong(
        `AUTH_SECRET has ${authSecret.length} characters: whoever holds one signed URL can try to guess it, and then sign any other.`,
        `Give it at least ${SAFE_SECRET_LENGTH}, or leave it out. ${fresh}`,
      ),
    );
  } else if (authSecret !== null && isMonotonous(authSecret)) {
    found.push(wrong("AUTH_SECRET repeats a few characters and can be guessed.", fresh));
  }
  if (
    initialApiKey !== null &&
    (initialApiKey.length < SHORTEST_KEY || isMonotonous(initialApiKey))
  ) {
    found.push(
      wrong(
        "INITIAL_API_KEY is short or repeats a few characters, and it opens everything.",
        `Use a random one of at least ${SHORTEST_KEY} characters, or make keys with: holdall keys create NAME`,
      ),
    );
  }
  if (
    administrator !== null &&
    (administrator.password.length < SHORTEST_PASSWORD || isMonotonous(administrator.password))
  ) {
    found.push(
      careful(
        `ADMIN_PASSWORD has fewer than ${SHORTEST_PASSWORD} characters, or few different ones.`,
        "It only makes the account on the first start. If it is still the password, change it in the dashboard's settings.",
      ),
    );
  }
  return found;
}

function examineLimits(config: Config): Advice[] {
  const off = [
    ...(config.apiRequestsPerMinute === 0 ? ["RATE_LIMIT_API"] : []),
    ...(config.hostingRequestsPerMinute === 0 ? ["RATE_LIMIT_HOSTING"] : []),
  ];
  const found: Advice[] = off.map((name) =>
    careful(
      `${name} is 0: no client is held back, however often it asks.`,
      "Leave it out for the usual limit, or see to it that the proxy has one.",
    ),
  );
  if (config.settings.minFreeSpace === 0) {
    found.push(
      careful(
        "MIN_FREE_SPACE is 0: uploads may fill the volume to the last byte.",
        "Leave it out for the usual 256 MB.",
      ),
    );
  }
  if (config.logLevel === "silent") {
    found.push(careful("LOG_LEVEL is silent: nobody hears of damage.", "Set it to info."));
  }
  return found;
}
