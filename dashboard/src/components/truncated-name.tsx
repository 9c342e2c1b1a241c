import { splitName } from "../text/split-name.ts";

/**
 * A name on one line, whatever its length and direction. A long name is truncated in the middle,
 * because names often differ at the end; the title has the full name.
 */
export function TruncatedName({ name }: { readonly name: string }) {
  const { head, tail } = splitName(name);
  if (tail === "") {
    return (
      <bdi className="block truncate text-left" title={name}>
        {name}
      </bdi>
    );
  }
  return (
    <span className="flex min-w-0" title={name}>
      <span className="truncate whitespace-pre">{head}</span>
      <span className="flex-none whitespace-pre">{tail}</span>
    </span>
  );
}
