/** System calls that fail without being executed. */
export interface ErrorInjection {
  readonly calls: readonly string[];
  /** Only calls on exactly this path. Default: any path. */
  readonly path?: string;
  readonly error: "ENOSPC" | "EIO";
  /** The first call to fail, counted from 1 per call and thread. */
  readonly from: number;
  /** After that every n-th call fails; 0: none. */
  readonly every: number;
}

/** The strace options for it. */
export function errorInjectionArgs({ calls, path, error, from, every }: ErrorInjection): string[] {
  const set = calls.join(",");
  const when = every === 0 ? `${from}` : `${from}+${every}`;
  return [
    ...(path === undefined ? [] : ["-P", path]),
    ...["-e", `trace=${set}`, "-e", `inject=${set}:error=${error}:when=${when}`],
  ];
}
