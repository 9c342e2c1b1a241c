import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** Encrypts short texts for storage, with AES-256-GCM and a key derived from AUTH_SECRET (RFC 5869). */
export interface Sealer {
  /** `context` is not stored: the text can be opened only with the same one. */
  seal(text: string, context: string): string;
  /** undefined: it was changed, or sealed with another secret, purpose or context. */
  open(sealed: string, context: string): string | undefined;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** `secret` is called when it is needed first. */
export function createSealer(secret: () => string, purpose: string): Sealer {
  let key: Uint8Array | undefined;
  const derivedKey = (): Uint8Array => {
    key ??= new Uint8Array(hkdfSync("sha256", secret(), "", purpose, 32));
    return key;
  };
  return {
    seal(text, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", derivedKey(), nonce);
      cipher.setAAD(Buffer.from(context));
      const content = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), content]).toString("base64url");
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed, "base64url");
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
      const decipher = createDecipheriv(
        "aes-256-gcm",
        derivedKey(),
        bytes.subarray(0, NONCE_BYTES),
        { authTagLength: TAG_BYTES },
      );
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      try {
        const content = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
        return Buffer.concat([content, decipher.final()]).toString("utf8");
      } catch {
        return undefined;
      }
    },
  };
}
