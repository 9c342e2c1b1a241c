import { type Advice, warning } from "../advice.ts";
import type { Config } from "../config.ts";

/* Warns when credentials or content go to another machine unencrypted. */

export function examineDatabaseUrl({ catalog }: Config): Advice[] {
  if (catalog.driver !== "postgres") return [];
  const url = new URL(catalog.settings.url);
  if (!isElsewhere(url) || isEncrypted(url)) return [];
  return [
    warning(
      "DATABASE_URL points to another machine without sslmode: names and the hashes of keys travel unencrypted.",
      "Add ?sslmode=verify-full to it, unless the network in between is private.",
    ),
  ];
}

const isEncrypted = ({ searchParams }: URL): boolean =>
  !["", "disable", "allow"].includes(searchParams.get("sslmode") ?? "") ||
  searchParams.get("ssl") === "true";

export function examineS3Endpoint({ blobs }: Config): Advice[] {
  if (blobs.driver !== "s3") return [];
  const url = new URL(blobs.settings.endpoint);
  if (url.protocol !== "http:" || !isElsewhere(url)) return [];
  return [
    warning(
      "S3_ENDPOINT begins with http and points to another machine: files travel unencrypted.",
      "Use its https address, unless the network in between is private.",
    ),
  ];
}

export function examineRedisUrl({ redis }: Config): Advice[] {
  if (redis === null) return [];
  const url = new URL(redis.url);
  if (url.protocol !== "redis:" || !isElsewhere(url)) return [];
  return [
    warning(
      "REDIS_URL begins with redis: and points to another machine: its password and the addresses of clients travel unencrypted.",
      "Use rediss:, unless the network in between is private.",
    ),
  ];
}

export function examineOidcIssuer({ oidc }: Config): Advice[] {
  const url = oidc === null ? null : URL.parse(oidc.issuer);
  if (url === null || url.protocol !== "http:" || !isElsewhere(url)) return [];
  return [
    warning(
      "OIDC_ISSUER begins with http and points to another machine: who can change what is sent in between can sign in as anybody.",
      "Use its https address, unless the network in between is private.",
    ),
  ];
}

const isElsewhere = ({ hostname }: URL): boolean => hostname !== "" && !isLoopback(hostname);

const LOOPBACK = /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1|\[::1\]|localhost)$/i;

export const isLoopback = (host: string): boolean => LOOPBACK.test(host);
