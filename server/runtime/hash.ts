/** Hashes for tables and checksums. They are quick, and no protection against attackers. */
export const { crc32, xxHash32, xxHash64 } = Bun.hash;

/** The 64-bit hash that the runtime is quickest at. It may differ between versions: never store it. */
export const quickHash = (text: string): bigint => BigInt(Bun.hash(text));
