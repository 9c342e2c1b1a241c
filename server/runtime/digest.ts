export type Digest = Bun.CryptoHasher;

/** A digest that is fed piece by piece, on the calling thread. */
export const createDigest = (algorithm: "sha256" | "md5"): Digest =>
  new Bun.CryptoHasher(algorithm);

/** In hex. */
export const sha256Of = (content: string | Uint8Array): string =>
  Bun.CryptoHasher.hash("sha256", content, "hex");
