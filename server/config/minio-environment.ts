import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "./config.ts";
import type { Environment } from "./environment-reader.ts";

/*
 * The variables of MinIO's container images, so that one line of a compose file can change and the rest
 * stay.
 */

/** Each variable of ours, with MinIO's in its place; the first that is set counts. */
const NAMES = {
  INITIAL_S3_ACCESS_KEY: ["MINIO_ROOT_USER", "MINIO_ACCESS_KEY"],
  INITIAL_S3_SECRET_KEY: ["MINIO_ROOT_PASSWORD", "MINIO_SECRET_KEY"],
  INITIAL_BUCKETS: ["MINIO_DEFAULT_BUCKETS"],
  S3_API_DOMAIN: ["MINIO_DOMAIN"],
} as const;

/** The port on which MinIO's clients expect the S3 API. */
export const MINIO_S3_PORT = "9000";

/** The folder in which container runtimes mount secrets. */
const SECRETS = "/run/secrets";

export interface TranslatedEnvironment {
  readonly env: Environment;
  /** The variables of MinIO that count, by the name of ours that each stands for. */
  readonly names: ReadonlyMap<string, string>;
}

/**
 * The environment with the variables of MinIO under our names. A variable of ours wins. Any of MinIO's
 * opens the S3 port. Throws ConfigError: a file that a variable `…_FILE` names cannot be read.
 */
export function fromMinio(env: Environment): TranslatedEnvironment {
  const names = new Map<string, string>();
  const translated: Record<string, string | undefined> = { ...env };
  for (const [name, theirs] of Object.entries(NAMES)) {
    if (isGiven(env[name])) continue;
    for (const candidate of theirs.flatMap((each) => [each, `${each}_FILE`])) {
      const value = env[candidate];
      if (!isGiven(value)) continue;
      translated[name] = candidate.endsWith("_FILE") ? readSecret(candidate, value) : value;
      names.set(name, candidate);
      break;
    }
  }
  if (names.size > 0 && !isGiven(env.S3_PORT)) translated.S3_PORT = MINIO_S3_PORT;
  return { env: translated, names };
}

const isGiven = (value: string | undefined): value is string =>
  value !== undefined && value.trim() !== "";

/** As in MinIO, the path of a file, or the name of a secret. */
function readSecret(name: string, given: string): string {
  const path = given.trim();
  const file = existsSync(path) ? path : join(SECRETS, path);
  try {
    return readFileSync(file, "utf8").trim();
  } catch (cause) {
    const why = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
    throw new ConfigError(
      `${name} is "${path}", but must be the path of a file that can be read, or the name of a secret in ${SECRETS}${why}.`,
    );
  }
}
