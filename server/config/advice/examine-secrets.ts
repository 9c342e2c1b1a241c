import { type Advice, error, warning } from "../advice.ts";
import { commandLine } from "../command-line.ts";
import type { Config } from "../config.ts";
import { isWeakS3Secret, SAFE_S3_SECRET_LENGTH } from "../initial-s3.ts";

/** A secret with fewer different characters was made up by a person, or repeats the same one. */
const MIN_DIFFERENT_CHARACTERS = 10;
const MIN_KEY_LENGTH = 32;
const MIN_PASSWORD_LENGTH = 12;

const isMonotonous = (secret: string): boolean => new Set(secret).size < MIN_DIFFERENT_CHARACTERS;

const GENERATE = "Generate one with: openssl rand -base64 48";

/** A shorter AUTH_SECRET can be guessed offline from one signed URL. */
export const SAFE_SECRET_LENGTH = 32;

export function examineAuthSecret({ authSecret }: Config): Advice[] {
  if (authSecret === null) return [];
  if (authSecret.length < SAFE_SECRET_LENGTH) {
    return [
      error(
        `AUTH_SECRET has ${authSecret.length} characters: anybody with one signed URL can try to guess it, and then sign others and act as an S3 client.`,
        `Use at least ${SAFE_SECRET_LENGTH}, or remove it. ${GENERATE}`,
      ),
    ];
  }
  if (!isMonotonous(authSecret)) return [];
  return [error("AUTH_SECRET repeats a few characters and can be guessed.", GENERATE)];
}

export function examineInitialApiKey(config: Config): Advice[] {
  const { initialApiKey } = config;
  if (initialApiKey === null) return [];
  if (initialApiKey.length >= MIN_KEY_LENGTH && !isMonotonous(initialApiKey)) return [];
  return [
    error(
      "INITIAL_API_KEY is short or repeats a few characters, and it gives access to everything.",
      `Use a random one of at least ${MIN_KEY_LENGTH} characters, or create keys with: ${commandLine(config, "keys create NAME")}`,
    ),
  ];
}

export function examineInitialS3({ initialS3 }: Config): Advice[] {
  if (initialS3 === null || !isWeakS3Secret(initialS3.secretAccessKey)) return [];
  return [
    warning(
      `INITIAL_S3_SECRET_KEY ${WEAK_S3_SECRET}`,
      `Use a random one of at least ${SAFE_S3_SECRET_LENGTH} characters. ${GENERATE}`,
    ),
  ];
}

/** The end of a sentence whose subject is the variable. */
export const WEAK_S3_SECRET = `has fewer than ${SAFE_S3_SECRET_LENGTH} characters or is a well-known one: whoever reaches the server can guess it. Web pages of other origins are refused until a bucket has CORS rules.`;

export function examineAdminPassword({ administrator }: Config): Advice[] {
  if (administrator === null) return [];
  const { password } = administrator;
  if (password.length >= MIN_PASSWORD_LENGTH && !isMonotonous(password)) return [];
  return [
    warning(
      `ADMIN_PASSWORD has fewer than ${MIN_PASSWORD_LENGTH} characters, or few different ones.`,
      "It is only used to create the account on the first start. If it is still the password, change it in the dashboard's settings.",
    ),
  ];
}
