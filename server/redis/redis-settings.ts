export interface RedisSettings {
  /** `redis://`, or `rediss://` with TLS; may hold user, password and, as its path, a database number. */
  readonly url: string;
  /** Start of all our keys, so that several instances can share one Redis. */
  readonly prefix: string;
}

/** The URL's host, port and database, without user and password. */
export function displayAddress({ url }: Pick<RedisSettings, "url">): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname === "/" ? "" : pathname}`;
}
