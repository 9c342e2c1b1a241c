import type { FileMetadata, MetadataChange } from "../../../../../sdk/src/holdall.ts";

/** The named fields, in the order of the form. */
export const METADATA_FIELDS = [
  { name: "cacheControl", label: "Cache-Control", example: "public, max-age=86400" },
  {
    name: "contentDisposition",
    label: "Content-Disposition",
    example: 'attachment; filename="report.pdf"',
  },
  { name: "contentLanguage", label: "Content-Language", example: "en-GB" },
  { name: "contentEncoding", label: "Content-Encoding", example: "gzip" },
  { name: "expires", label: "Expires", example: "Wed, 01 Dec 2027 16:00:00 GMT" },
] as const;

type FieldName = (typeof METADATA_FIELDS)[number]["name"];

/** A header `X-Meta-…`. */
export interface Pair {
  /** Identifies the row while its name is edited. */
  readonly id: number;
  /** Without the prefix `x-`. */
  readonly name: string;
  readonly value: string;
}

/** The metadata of a file while it is edited. Empty texts are not set. */
export interface MetadataDraft {
  readonly fields: Readonly<Record<FieldName, string>>;
  readonly pairs: readonly Pair[];
}

export function draftOf(metadata: FileMetadata): MetadataDraft {
  const {
    cacheControl = "",
    contentDisposition = "",
    contentLanguage = "",
    contentEncoding = "",
    expires = "",
    ...pairs
  } = metadata;
  return {
    fields: { cacheControl, contentDisposition, contentLanguage, contentEncoding, expires },
    pairs: Object.entries(pairs).map(([name, value], id) => ({ id, name: name.slice(2), value })),
  };
}

/** The draft with another pair, which is empty. */
export function addPair({ fields, pairs }: MetadataDraft): MetadataDraft {
  const id = 1 + Math.max(-1, ...pairs.map((pair) => pair.id));
  return { fields, pairs: [...pairs, { id, name: "", value: "" }] };
}

/** The changed fields; null: none. */
export function changesOf(before: FileMetadata, draft: MetadataDraft): MetadataChange | null {
  const after = new Map<string, string>(
    [
      ...Object.entries(draft.fields),
      ...draft.pairs.map(({ name, value }) => [`x-${name.trim().toLowerCase()}`, value] as const),
    ]
      .map(([name, value]) => [name, value.trim()] as const)
      .filter(([, value]) => value !== ""),
  );
  const old = new Map(Object.entries(before));
  const changes: Record<string, string | null> = {};
  for (const name of new Set([...old.keys(), ...after.keys()])) {
    const value = after.get(name) ?? null;
    if (value !== (old.get(name) || null)) changes[name] = value;
  }
  return Object.keys(changes).length === 0 ? null : changes;
}
