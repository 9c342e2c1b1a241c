import { hkdfSync } from "node:crypto";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { StoredSettings } from "../catalog/port/credentials.ts";
import type { DataFolder } from "../fs/data-folder-layout.ts";
import { writeFileAtomic } from "../fs/write-file-atomic.ts";
import type { Log } from "../log.ts";

/** The file in the data folder with the generated secret that signs URLs. */
export const SECRET_FILE = "auth-secret";

const MIN_LENGTH = 32;

/**
 * The stored secret, generated on the first start. Only its owner may read it. Error: it is too short;
 * with an empty one, anybody could sign URLs.
 */
export function readOrCreateSecret(folder: DataFolder): string {
  const file = join(folder.path, SECRET_FILE);
  if (!existsSync(file)) {
    const random = crypto.getRandomValues(new Uint8Array(48));
    storeSecret(folder, Buffer.from(random).toString("base64url"));
  }
  chmodSync(file, 0o600);
  const secret = readSecret(folder) ?? "";
  if (secret.length < MIN_LENGTH) {
    throw new Error(
      `${file} must contain at least ${MIN_LENGTH} characters: restore it, or remove it to start with a new secret, which invalidates all signed URLs.`,
    );
  }
  return secret;
}

/** The stored secret, unchecked; undefined: there is none yet. */
export function readSecret({ path }: DataFolder): string | undefined {
  const file = join(path, SECRET_FILE);
  return existsSync(file) ? readFileSync(file, "utf8").trim() : undefined;
}

export function storeSecret({ path }: DataFolder, secret: string): void {
  writeFileAtomic(join(path, SECRET_FILE), `${secret}\n`);
}

/** The setting with a hash of the secret that the last started server of the catalog uses. */
const FINGERPRINT = "auth-secret-mark";

/**
 * Warns when the servers of one catalog sign with different secrets: a signed URL of one is invalid on
 * the others, which shows only when a load balancer sends it there. The secret may also have been
 * changed on purpose.
 */
export async function compareSecret(
  stored: Pick<StoredSettings, "setting" | "putSetting">,
  secret: string,
  log: Pick<Log, "warn">,
): Promise<void> {
  const hash = Buffer.from(hkdfSync("sha256", secret, "", "holdall secret mark v1", 16));
  const fingerprint = hash.toString("hex");
  const last = await stored.setting(FINGERPRINT);
  if (last === fingerprint) return;
  await stored.putSetting(FINGERPRINT, fingerprint);
  if (last === undefined) return;
  log.warn(
    "AUTH_SECRET differs from that of the last server with this DATABASE_URL: signed URLs of one do not work on the other. Set the same AUTH_SECRET on all servers. Ignore this if you have just changed it.",
  );
}
