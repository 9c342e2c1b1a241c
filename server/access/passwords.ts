/** Memory in KiB and passes as OWASP's password storage cheat sheet recommends for argon2id. */
const COST = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

/** How many are computed at once; each takes 19 MiB while it runs. */
const AT_ONCE = 2;

/** Hashes and checks passwords, a few at a time. */
export interface Passwords {
  /** argon2id in PHC string format. */
  hash(password: string): Promise<string>;
  /** Without a hash (no such account) it takes as long and is false. */
  verify(password: string, hash: string | undefined): Promise<boolean>;
}

export function createPasswords(): Passwords {
  let running = 0;
  const waiting: (() => void)[] = [];
  let decoy: Promise<string> | undefined;

  async function limited<T>(work: () => Promise<T>): Promise<T> {
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

  const hash = (password: string): Promise<string> =>
    limited(() => Bun.password.hash(password, COST));

  return {
    hash,
    async verify(password, known) {
      decoy ??= hash(crypto.randomUUID());
      const against = known ?? (await decoy);
      const matches = await limited(() => Bun.password.verify(password, against));
      return matches && known !== undefined;
    },
  };
}
