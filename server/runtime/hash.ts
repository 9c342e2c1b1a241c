/** Hashes for tables and checksums. They are quick, and no protection against attackers. */
export const { crc32, xxHash32, xxHash64 } = Bun.hash;

/** The 64-bit hash that the runtime is quickest at. It may differ between versions: never store it. */
export const quickHash = (text: string): bigint => BigInt(Bun.hash(text));

type Digest = Bun.CryptoHasher;

/** A digest that is fed piece by piece, on the calling thread. */
export const createDigest = (algorithm: "sha256" | "md5"): Digest =>
  new Bun.CryptoHasher(algorithm);

/** The SHA-256 in hex. */
export const sha256Of = (content: string | Uint8Array): string =>
  Bun.CryptoHasher.hash("sha256", content, "hex");

/** Argon2id. The hash has its own costs and salt. */
export const { hash: hashPassword, verify: verifyPassword } = Bun.password;
