/* `UriEncode` of Signature Version 4: all bytes except the unreserved characters of RFC 3986. */

const TOKEN = /%[0-9a-f]{2}|[^A-Za-z0-9._~-]/giu;
const UNRESERVED = /[A-Za-z0-9._~-]/;

/** Encodes text in UTF-8. A lone surrogate becomes U+FFFD. */
export const uriEncode = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(/[!'()*]/g, (character) =>
    encodeBytes(character),
  );

/** Encodes a path that is percent-encoded in any way. As in S3, `%2F` is the same as a slash. */
export const canonicalPath = (path: string): string => reencode(path).replaceAll("%2F", "/");

/**
 * The parameters of a query in canonical form and order. `+` is a space, as in URLSearchParams.
 * `without` names a parameter to leave out.
 */
export function canonicalQuery(query: string, without?: string): string {
  const parameters = query.split("&").flatMap((parameter): readonly [string, string][] => {
    if (parameter === "") return [];
    const equals = parameter.indexOf("=");
    const end = equals < 0 ? parameter.length : equals;
    const name = encodeParameter(parameter.slice(0, end));
    return name === without ? [] : [[name, encodeParameter(parameter.slice(end + 1))]];
  });
  parameters.sort(([name, value], [otherName, otherValue]) =>
    name === otherName ? compare(value, otherValue) : compare(name, otherName),
  );
  return parameters.map(([name, value]) => `${name}=${value}`).join("&");
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const encodeParameter = (text: string): string => reencode(text.replaceAll("+", "%20"));

function reencode(text: string): string {
  return text.replace(TOKEN, (token) => {
    if (token.length !== 3 || token[0] !== "%") return encodeBytes(token);
    const character = String.fromCharCode(Number.parseInt(token.slice(1), 16));
    return UNRESERVED.test(character) ? character : token.toUpperCase();
  });
}

function encodeBytes(text: string): string {
  let encoded = "";
  for (const byte of Buffer.from(text)) {
    encoded += `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return encoded;
}
