/** A UUID of version 7 with hyphens, which begins with this time in milliseconds (RFC 9562, section 5.7). */
export const uuidV7 = (milliseconds: number): string => Bun.randomUUIDv7("hex", milliseconds);
