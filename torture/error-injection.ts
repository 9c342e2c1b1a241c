/** System calls that fail without being carried out. */
export interface ErrorInjection {
  readonly calls: readonly string[];
  /** Exactly this path; any where it is not given. */
  readonly path?: string;
  readonly error: "ENOSPC" | "EIO";
  /** The first one to fail, counted from 1 for each call of each thread. */
  readonly from: number;
  /** After that every so-manieth fails; 0: none. */
  readonly every: number;
}

/** The options of strace for it. */
export function errorInjectionArgs({ calls, path, error, from, every }: ErrorInjection): string[] {
  const set = calls.join(",");
  const when = every === 0 ? `${from}` : `${from}+${every}`;
  return [
    ...(path === undefined ? [] : ["-P", path]),
    ...["-e", `trace=${set}`, "-e", `inject=${set}:error=${error}:when=${when}`],
  ];
}
