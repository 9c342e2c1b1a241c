import { Fault } from "../rules/fault.ts";

/** Memory in KiB and passes as OWASP's password storage cheat sheet recommends for argon2id. */
const COST = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

/** How many are computed at once; each takes 19 MiB while it runs. */
const AT_ONCE = 2;

/** About two seconds of work; who comes after that is better told to come back. */
const MAX_WAITING = 64;

/** A hash of the same cost that no password is known to have. */
const DECOY = `$argon2id$v=19$m=19456,t=2,p=1$${"A".repeat(43)}$${"A".repeat(43)}`;

/**
 * In UTF-16 code units. None that was ever set is longer, in any form of its accents. Normalising
 * takes time quadratic in a run of combining marks, minutes for the largest body that is read, and
 * anybody may send one: what is longer must not get that far.
 */
const LONGEST = 1024;

/**
 * Hashes and checks passwords, a few at a time. Passwords that look the same are the same, however
 * the keyboard composes their accents. Fault "unavailable": too many are waiting.
 */
export interface Passwords {
  /** argon2id in PHC string format. */
  hash(password: string): Promise<string>;
  /** Without a hash (no such account) it takes as long and is false. */
  verify(password: string, hash: string | undefined): Promise<boolean>;
}

export function createPasswords(): Passwords {
  let running = 0;
  const waiting: (() => void)[] = [];

  async function limited<T>(work: () => Promise<T>): Promise<T> {
    if (waiting.length >= MAX_WAITING) {
      throw new Fault("unavailable", "Too many people are signing in. Try again in a moment.", {
        retryAfter: 2,
      });
    }
    if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
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
    hash: (password) => limited(() => Bun.password.hash(password.normalize("NFC"), COST)),
    async verify(password, hash = DECOY) {
      const isTooLong = password.length > LONGEST;
      const tried = isTooLong ? "" : password.normalize("NFC");
      const matches = await limited(() => Bun.password.verify(tried, hash));
      return matches && hash !== DECOY && !isTooLong;
    },
  };
}
