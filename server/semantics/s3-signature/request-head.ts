/** What the signature of a request covers, except its body. */
export interface RequestHead {
  readonly method: string;
  /** Percent-encoded, starting with a slash. It is both verified and routed. */
  readonly path: string;
  /** Percent-encoded, without the question mark; empty if there is none. */
  readonly query: string;
  readonly headers: Headers;
  /**
   * The host of the public URL, with its port. A signature for it counts as well, because a reverse
   * proxy may have changed the header Host.
   */
  readonly publicHost?: string | undefined;
  /** The bucket that the host names. */
  readonly hostBucket?: string | undefined;
}

/** The runtime has resolved the dot segments of the path. */
export function headOf(request: Request, publicHost?: string, hostBucket?: string): RequestHead {
  const { url } = request;
  const start = url.indexOf("/", url.indexOf("://") + 3);
  const hash = url.indexOf("#", start);
  const end = hash < 0 ? url.length : hash;
  const question = url.indexOf("?", start);
  const pathEnd = question < 0 || question > end ? end : question;
  return {
    method: request.method,
    path: url.slice(start, pathEnd),
    query: url.slice(Math.min(pathEnd + 1, end), end),
    headers: request.headers,
    publicHost,
    hostBucket,
  };
}
