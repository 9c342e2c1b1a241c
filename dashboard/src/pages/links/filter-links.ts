import type { LinkObject } from "../../../../sdk/src/holdall.ts";
import { linkName } from "../../sharing/describe-link.ts";

export type LinkKindFilter = "all" | "read" | "drop" | "ended";
export type LinkOrder = "newest" | "expiry" | "visits";

/** Which links the page shows, and in which order. */
export interface LinkFilter {
  readonly text: string;
  readonly kind: LinkKindFilter;
  readonly order: LinkOrder;
}

/** All links, newest first, as the server lists them. */
export const NO_FILTER: LinkFilter = { text: "", kind: "all", order: "newest" };

/** The links that match, in order. Words may be in the title, the path and the name of the maker. */
export function filterLinks(
  links: readonly LinkObject[],
  { text, kind, order }: LinkFilter,
): readonly LinkObject[] {
  const words = fold(text)
    .split(/\s+/)
    .filter((word) => word !== "");
  const found = links.filter((link) => {
    if (kind === "ended" ? link.state === "active" : kind !== "all" && link.kind !== kind) {
      return false;
    }
    const { subject, createdBy } = link;
    const searched = fold([linkName(link), subject.key, createdBy.name].join(" "));
    return words.every((word) => searched.includes(word));
  });
  if (order === "visits") return found.toSorted((one, other) => other.visits - one.visits);
  if (order === "newest") return found;
  // Links without an end come last. Timestamps are written so that they sort as text.
  const endOf = ({ expiresAt }: LinkObject): string => expiresAt ?? "~";
  return found.toSorted((one, other) =>
    endOf(one) < endOf(other) ? -1 : Number(endOf(one) > endOf(other)),
  );
}

const fold = (text: string): string =>
  text.normalize("NFKD").replace(/\p{M}/gu, "").toLocaleLowerCase();
