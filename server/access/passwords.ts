import { availableParallelism } from "node:os";
import { Fault } from "../domain/faults/fault.ts";
import { hashPassword, verifyPassword } from "../runtime/hash.ts";

/** Memory in KiB and passes, as recommended for argon2id by OWASP's password storage cheat sheet. */
const COST = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

/** Each running hash takes 19 MiB. */
const MAX_CONCURRENT = 2;

/** About two seconds of work. */
const MAX_WAITING = 64;

/** Verified in place of a missing account's hash, at the same cost. No password matches it. */
const DUMMY_HASH = `$argon2id$v=19$m=19456,t=2,p=1$${"A".repeat(43)}$${"A".repeat(43)}`;

/**
 * In UTF-16 code units: the longest allowed password in any normalization form. Longer input is not
 * normalized, because that takes quadratic time in runs of combining marks: minutes for the largest
 * request body.
 */
const MAX_LENGTH = 1024;

/**
 * Hashes and verifies passwords, a few at a time. Unicode normalization makes passwords with composed
 * and decomposed accents equal. Fault "unavailable": too many are waiting.
 */
export interface Passwords {
  /** argon2id in PHC string format. */
  hash(password: string): Promise<string>;
  /** Without a hash (no such account, or one without a password), takes as long and returns false. */
  verify(password: string, hash: string | undefined): Promise<boolean>;
}

/** Leaves one of the `processors` to other requests. */
export function createPasswords(processors = availableParallelism()): Passwords {
  const maxConcurrent = Math.max(1, Math.min(MAX_CONCURRENT, processors - 1));
  let running = 0;
  const waiting: (() => void)[] = [];

  async function withSlot<T>(work: () => Promise<T>): Promise<T> {
    if (waiting.length >= MAX_WAITING) {
      throw new Fault(
        "unavailable",
        "Too many passwords are being checked. Try again in a moment.",
        {
          retryAfter: 2,
        },
      );
    }
    if (running >= maxConcurrent) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  }

  return {
    hash: (password) => withSlot(() => hashPassword(password.normalize("NFC"), COST)),
    async verify(password, stored) {
      const hash = stored === undefined || stored === "" ? DUMMY_HASH : stored;
      const isTooLong = password.length > MAX_LENGTH;
      const input = isTooLong ? "" : password.normalize("NFC");
      const matches = await withSlot(() => verifyPassword(input, hash));
      return matches && hash !== DUMMY_HASH && !isTooLong;
    },
  };
}
