import { createHash } from "node:crypto";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** 256 bits need 43 digits in base 62. */
const DIGITS = 43;

/** 256 random bits in base 62, always 43 characters. */
export function randomSecret(): string {
  return base62(crypto.getRandomValues(new Uint8Array(32)));
}

/** 32 bytes as a number in base 62, padded to 43 digits. */
export function base62(bytes: Uint8Array): string {
  let number = BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
  let text = "";
  for (let digit = 0; digit < DIGITS; digit += 1) {
    text = (BASE62[Number(number % 62n)] ?? "") + text;
    number /= 62n;
  }
  return text;
}

/** SHA-256 in hex, stored instead of the secret. With 256 random bits a slow hash adds nothing. */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
