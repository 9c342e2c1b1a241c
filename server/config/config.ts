import { resolve } from "node:path";
import {
  numberSettingNames,
  numberSettings,
  type SettingValues,
  visibilitySetting,
} from "../../contract/settings.ts";

import type { BlobChoice } from "../blobs/drivers.ts";
import type { CatalogChoice } from "../catalog/drivers.ts";
import type { RedisSettings } from "../redis/redis-settings.ts";
import { isEncoded } from "./is-encoded.ts";
import { readRedis } from "./redis-config.ts";
import { readS3 } from "./s3-config.ts";

/** What the environment says, checked. The only place that reads it. */
export interface Config {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Processes that serve. */
  readonly workers: number;
  readonly dataPath: string;
  /** Which engine keeps the catalog. */
  readonly catalog: CatalogChoice;
  /** Which store keeps the blobs. */
  readonly blobs: BlobChoice;
  /** What several servers count requests and guesses in together; null: each counts by itself. */
  readonly redis: RedisSettings | null;
  /** How files get to clients: by here, or by an address of the store that they are sent on to. */
  readonly delivery: "stream" | "redirect" | "x-accel" | "x-sendfile";
  /** Of a proxy's own addresses of the bytes, with a slash at both ends. */
  readonly deliveryPrefix: string;
  /** Without a trailing slash; null: as the request says. */
  readonly publicUrl: string | null;
  readonly production: boolean;
  readonly logLevel: "debug" | "info" | "warn" | "error" | "silent";
  /** Those that the environment decides, and so nothing else can. */
  readonly settings: PinnedSettings;
  /** null: made on the first start and kept in the data folder. */
  readonly authSecret: string | null;
  readonly apiRequestsPerMinute: number;
  readonly hostingRequestsPerMinute: number;
  readonly trustedProxies: readonly string[];
  readonly administrator: { readonly email: string; readonly password: string } | null;
  readonly initialApiKey: string | null;
  /** Milliseconds from one scrub to the next; null: none. */
  readonly scrubEvery: number | null;
  /** In bytes a second. */
  readonly scrubRate: number;
  /** Bytes of small files that are kept in memory. */
  readonly fileMemory: number;
}

export type PinnedSettings = Partial<SettingValues>;

/** Wrong values in the environment: a line for each, with the variable, what was given and what is allowed. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Throws `ConfigError` when anything is wrong. `isProxy` tells whether an entry of TRUSTED_PROXIES is an address or a range. */
export function readConfig(env: Environment, isProxy: (entry: string) => boolean): Config {
  const value = (name: string): string | undefined => env[name]?.trim() || undefined;
  const mistakes: string[] = [];
  const wrong = (name: string, allowed: string, shown = value(name)): void => {
    mistakes.push(`${name} is "${shown ?? ""}", but must be ${allowed}.`);
  };

  const whole = (name: string, fallback: number, from: number, to: number): number => {
    const text = value(name);
    if (text === undefined) return fallback;
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= from && number <= to) return number;
    wrong(name, `a whole number from ${from} to ${to}`);
    return fallback;
  };

  const oneOf = <T extends string>(name: string, allowed: readonly T[], fallback: T): T => {
    const text = value(name);
    if (text === undefined) return fallback;
    const found = allowed.find((item) => item === text.toLowerCase());
    if (found === undefined) wrong(name, allowed.join(" or "));
    return found ?? fallback;
  };

  const size = (name: string, fallback: number, least: number): number => {
    const text = value(name);
    if (text === undefined) return fallback;
    const bytes = parseSize(text);
    if (bytes !== undefined && bytes >= least) return bytes;
    wrong(name, `a size of at least ${least}, such as 500mb, 5gb or a number of bytes`);
    return fallback;
  };

  const duration = (name: string): number | null => {
    const text = value(name);
    if (text === undefined || text === "0") return null;
    const milliseconds = parseDuration(text) ?? 0;
    if (milliseconds > 0) return milliseconds;
    wrong(name, "a duration such as 30d, 12h or 90m, or 0 for never");
    return null;
  };

  const settings = (): PinnedSettings => {
    const pinned: { -readonly [Name in keyof PinnedSettings]: PinnedSettings[Name] } = {};
    const { variable, choices, default: usual } = visibilitySetting;
    if (value(variable) !== undefined) pinned.defaultVisibility = oneOf(variable, choices, usual);
    for (const name of numberSettingNames) {
      const { variable, unit, from, to, default: usual } = numberSettings[name];
      if (value(variable) === undefined) continue;
      // Longer links than the longest would never be made.
      const most =
        name === "defaultPresignSeconds"
          ? (pinned.maxPresignSeconds ?? numberSettings.maxPresignSeconds.default)
          : to;
      pinned[name] =
        unit === "bytes" ? size(variable, usual, from) : whole(variable, usual, from, most);
    }
    return Object.freeze(pinned);
  };

  const key = (name: string): string | null => {
    const text = value(name);
    if (text !== undefined && !/^[\x21-\x7e]{16,512}$/.test(text)) {
      const allowed = "at least 16 characters, at most 512, of printable ASCII without spaces";
      wrong(name, allowed, `${text.length} characters long`);
    }
    return text ?? null;
  };

  const administrator = (): Config["administrator"] => {
    const email = value("ADMIN_EMAIL");
    const password = env.ADMIN_PASSWORD || undefined;
    if (email === undefined && password === undefined) return null;
    if (email === undefined) wrong("ADMIN_EMAIL", "given together with ADMIN_PASSWORD");
    else if (!/^[^\s@]+@[^\s@]+$/.test(email)) wrong("ADMIN_EMAIL", "an email address");
    if (password === undefined) wrong("ADMIN_PASSWORD", "given together with ADMIN_EMAIL");
    else if (password.length < 8 || password.length > 256) {
      const shown = `${password.length} characters long`;
      wrong("ADMIN_PASSWORD", "from 8 to 256 characters", shown);
    }
    return { email: email?.toLowerCase() ?? "", password: password ?? "" };
  };

  const proxies = (): string[] => {
    const entries = (value("TRUSTED_PROXIES") ?? "").split(",").map((entry) => entry.trim());
    const given = entries.filter((entry) => entry !== "");
    if (!given.every(isProxy)) {
      wrong(
        "TRUSTED_PROXIES",
        "addresses or ranges separated by commas, such as 127.0.0.1, 10.0.0.0/8",
      );
    }
    return given;
  };

  const publicUrl = (): string | null => {
    const text = value("PUBLIC_URL");
    if (text === undefined) return null;
    const url = URL.parse(text);
    const isPlain = url?.username === "" && url.password === "" && !/[?#]/.test(text);
    if (url === null || !/^https?:$/.test(url.protocol) || !isPlain) {
      wrong("PUBLIC_URL", "an http or https address such as https://files.example.com");
      return null;
    }
    return url.href.replace(/\/+$/, "");
  };

  const databaseUrl = (): string | null => {
    const text = value("DATABASE_URL");
    if (text === undefined) return null;
    // Of a socket it may say nothing in the host's place, which only the driver takes.
    const address = URL.canParse(text) ? text : text.replace("@/", "@localhost/");
    const url = URL.parse(address);
    const protocol = url?.protocol ?? "";
    // Neither means anything there: a part of the password would be taken for the host, and shown.
    const isCut = url?.hash !== "" || url.pathname.includes("@");
    if (/^postgres(ql)?:$/.test(protocol) && !isCut && isEncoded(address)) return address;
    // It may hold a password, so it is not shown.
    wrong(
      "DATABASE_URL",
      "the address of a PostgreSQL database such as postgres://user:password@host:5432/name, with %40 for @, %2F for /, %23 for # and %25 for % in the password",
      protocol === "" ? "…" : `${protocol}…`,
    );
    return null;
  };

  const usesS3 = oneOf("BLOBS", ["disk", "s3"], "disk") === "s3";
  const delivery = oneOf("DELIVERY", ["stream", "redirect", "x-accel", "x-sendfile"], "stream");
  if (delivery === "redirect" && !usesS3) wrong("DELIVERY", "stream unless BLOBS is s3");
  if (delivery.startsWith("x-") && usesS3) wrong("DELIVERY", "stream or redirect when BLOBS is s3");
  const deliveryPrefix = value("DELIVERY_PREFIX") ?? "/holdall-blobs/";
  if (!/^\/(?:[\w.~-]+\/)+$/.test(deliveryPrefix)) {
    wrong("DELIVERY_PREFIX", "a path with a slash at both ends, such as /holdall-blobs/");
  }

  const production = value("NODE_ENV") === "production";
  const authSecret = value("AUTH_SECRET") ?? null;
  if (production && authSecret !== null && authSecret.length < SAFE_SECRET_LENGTH) {
    wrong(
      "AUTH_SECRET",
      `at least ${SAFE_SECRET_LENGTH} characters when NODE_ENV is production`,
      `${authSecret.length} characters long`,
    );
  }

  const url = databaseUrl();
  const catalog: CatalogChoice =
    url === null ? { driver: "sqlite", settings: {} } : { driver: "postgres", settings: { url } };
  const blobs: BlobChoice = usesS3
    ? { driver: "s3", settings: readS3({ value, wrong, oneOf, parseDuration }) }
    : { driver: "disk", settings: {} };
  const config: Config = Object.freeze({
    host: value("HOST") ?? "127.0.0.1",
    port: whole("PORT", 3000, 0, 65_535),
    workers: whole("WORKERS", 1, 1, 64),
    dataPath: resolve(value("DATA_PATH") ?? "data"),
    catalog,
    blobs,
    redis: readRedis({ value, wrong }),
    delivery,
    deliveryPrefix,
    publicUrl: publicUrl(),
    production,
    logLevel: oneOf("LOG_LEVEL", ["debug", "info", "warn", "error", "silent"], "info"),
    settings: settings(),
    authSecret,
    apiRequestsPerMinute: whole("RATE_LIMIT_API", 300, 0, 1_000_000_000),
    hostingRequestsPerMinute: whole("RATE_LIMIT_HOSTING", 600, 0, 1_000_000_000),
    trustedProxies: proxies(),
    administrator: administrator(),
    initialApiKey: key("INITIAL_API_KEY"),
    scrubEvery: duration("SCRUB_EVERY"),
    scrubRate: size("SCRUB_RATE", 20 * 1024 ** 2, 1024),
    fileMemory: size("FILE_MEMORY", 16 * 1024 ** 2, 0),
  });
  if (mistakes.length > 0) throw new ConfigError(mistakes.join("\n"));
  return config;
}

/** A shorter AUTH_SECRET can be guessed offline from one signed URL. */
export const SAFE_SECRET_LENGTH = 32;

/** Bytes that a size such as `500mb` (of 1024²), `5gb` or `1000` means; undefined when it is none. */
export function parseSize(text: string): number | undefined {
  const match = /^(\d{1,15})\s*(b|kb|mb|gb|tb)?$/i.exec(text);
  if (match === null) return undefined;
  const exponent = ["b", "kb", "mb", "gb", "tb"].indexOf((match[2] ?? "b").toLowerCase());
  const bytes = Number(match[1]) * 1024 ** exponent;
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}

/** Milliseconds that a duration such as `30d`, `12h`, `90m` or `45s` means; undefined when it is none. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,9})\s*([smhdw])$/i.exec(text);
  const seconds = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };
  for (const [unit, length] of Object.entries(seconds)) {
    if (match?.[2]?.toLowerCase() === unit) return Number(match[1]) * length * 1000;
  }
  return undefined;
}
