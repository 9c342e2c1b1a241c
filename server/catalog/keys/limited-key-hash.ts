/**
 * What is stored for the hash of an API key with limited rights. Version 0.1.0 knows no limits: if it
 * still runs on the same database, it must not find such a key by its hash.
 */
export const limitedKeyHash = (hash: string): string => `limited ${hash}`;
