/** Where a Redis is, and what in it is ours. */
export interface RedisSettings {
  /** `redis://` or, with TLS, `rediss://`, with user and password, and the number of a database as its path. */
  readonly url: string;
  /** What every key of ours begins with, so that several instances of Holdall may share one Redis. */
  readonly prefix: string;
}

/** The address for people: without user and password. */
export function placeOf({ url }: Pick<RedisSettings, "url">): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname === "/" ? "" : pathname}`;
}
