/**
 * Whether a header such as `Accept` or `Accept-Encoding` names the value with a weight above 0 (RFC 9110,
 * section 12.4.2). Wildcards do not count.
 */
export function accepts(header: string | null, value: string): boolean {
  return (header ?? "").split(",").some((item) => {
    const [name, ...parameters] = item.split(";").map((part) => part.trim().toLowerCase());
    return name === value && !parameters.some((each) => /^q=0(\.0{0,3})?$/.test(each));
  });
}
