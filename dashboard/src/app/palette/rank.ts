import { foldText } from "../../../../contract/text/fold-text.ts";

/**
 * How well a title answers what was typed, regardless of case and accents: 0 is best, undefined: not at all. Each
 * word must be in the title or in the further words.
 */
export function rank(typed: string, title: string, words = ""): number | undefined {
  const wanted = fold(typed).trim();
  if (wanted === "") return 0;
  const name = fold(title);
  if (name.startsWith(wanted)) return 0;
  if (` ${name}`.includes(` ${wanted}`)) return 1;
  const parts = wanted.split(/\s+/);
  if (parts.every((part) => name.includes(part))) return 2;
  const all = `${name} ${fold(words)}`;
  return parts.every((part) => all.includes(part)) ? 3 : undefined;
}

const fold = (text: string): string => foldText(text.normalize("NFC"));

/** Returns the commands that match the typed text, best matches first. Equal matches keep their order. */
export function ranked<Item extends { readonly title: string; readonly words?: string }>(
  typed: string,
  items: readonly Item[],
): Item[] {
  return items
    .flatMap((item) => {
      const at = rank(typed, item.title, item.words);
      return at === undefined ? [] : [{ item, at }];
    })
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
