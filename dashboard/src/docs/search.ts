import MiniSearch from "minisearch";

/** A part of a document. */
export interface Passage {
  /** Below `docs/`, with its anchor. */
  readonly url: string;
  readonly title: string;
  readonly heading: string;
  readonly text: string;
}

export type Hit = Omit<Passage, "text">;

/** Finds passages, best first. */
export type Find = (text: string, limit: number) => readonly Hit[];

/** Loads the passages and makes their index: everything stays in this browser. */
export async function loadSearch(url: string): Promise<Find> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`The search answered ${response.status}.`);
  return createSearch(await response.json());
}

export function createSearch(passages: readonly Passage[]): Find {
  const search = new MiniSearch<Passage>({
    idField: "url",
    fields: ["heading", "title", "text"],
    storeFields: ["url", "title", "heading"],
    searchOptions: {
      boost: { heading: 4, title: 2 },
      combineWith: "AND",
      prefix: true,
      // A slip of the finger in longer words.
      fuzzy: (word) => (word.length > 4 ? 0.2 : false),
    },
  });
  search.addAll(passages);
  return (text, limit) => {
    const options = { boostDocument: boostNamed(text) };
    const all = search.search(text, options);
    const found = all.length > 0 ? all : search.search(text, { ...options, combineWith: "OR" });
    return found.slice(0, limit).map(({ url, title, heading }) => ({ url, title, heading }));
  };
}

/** Puts a passage first if the text is its heading, or the path of its operation or the end of that. */
function boostNamed(text: string) {
  const named = text.toLowerCase();
  return (_: unknown, __: string, { heading, title }: Record<string, unknown> = {}): number => {
    const [head, path] = [String(heading).toLowerCase(), String(title).toLowerCase()];
    const isPath = named.includes("/") && path.endsWith(named);
    return isPath || head === named ? 10 : 1;
  };
}
