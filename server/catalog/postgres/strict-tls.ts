/**
 * The driver treats these modes as `verify-full` and warns that this will change. `uselibpqcompat`
 * asks for the weaker modes of PostgreSQL's own library.
 */
export const withStrictTls = (url: string): string =>
  url.includes("uselibpqcompat=true")
    ? url
    : url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, "$1verify-full");
