/** What lets a cache keep a response for longer than its `max-age`. */
const LONGER = new Set(["immutable", "stale-while-revalidate", "stale-if-error"]);

/**
 * The `Cache-Control` for a file that ends in so many seconds: no cache keeps a response for longer (RFC 9111,
 * section 5.2.2). It has a `max-age`, as caches would choose one themselves without it: `age`, which is at most
 * `seconds`.
 */
export function limitCacheControl(value: string, seconds: number, age = seconds): string {
  let hasAge = false;
  const directives = value.split(",").flatMap((directive) => {
    const [name = "", argument] = directive.trim().split("=");
    const known = name.trim().toLowerCase();
    if (known === "" || LONGER.has(known)) return [];
    if (known !== "max-age" && known !== "s-maxage") return [directive.trim()];
    hasAge ||= known === "max-age";
    const own = Number.parseInt(argument?.replaceAll('"', "").trim() ?? "", 10);
    return [`${known}=${Number.isNaN(own) ? 0 : Math.min(own, seconds)}`];
  });
  return [...directives, ...(hasAge ? [] : [`max-age=${age}`])].join(", ");
}
