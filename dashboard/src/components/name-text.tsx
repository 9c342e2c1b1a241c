import { splitName } from "../text/split-name.ts";

/**
 * A name on one line, whatever its length and direction. Of one that is too long the end is kept,
 * where names differ; the whole of it is its title.
 */
export function NameText({ name }: { readonly name: string }) {
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
