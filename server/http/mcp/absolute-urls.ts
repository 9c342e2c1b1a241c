/** Fields of the API's objects with URLs that are relative to the base URL of the site. */
const URL_FIELDS: ReadonlySet<string> = new Set(["url", "lastingUrl"]);

/** The same data with absolute URLs: an agent does not know where relative ones begin. `base`: without a trailing slash. */
export function absoluteUrls(value: unknown, base: string): unknown {
  if (Array.isArray(value)) return value.map((each) => absoluteUrls(each, base));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      URL_FIELDS.has(name) && typeof field === "string"
        ? absoluteUrl(field, base)
        : absoluteUrls(field, base),
    ]),
  );
}

export const absoluteUrl = (url: string, base: string): string =>
  /^https?:\/\//.test(url) ? url : `${base}/${url.replace(/^\//, "")}`;
