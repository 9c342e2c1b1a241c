import type { LinkRecord } from "../domain/links.ts";
import type { KeyAction } from "../domain/records.ts";

interface LinkOperation {
  /** What visitors may do, inside of what is shared. */
  readonly permission: { readonly actions: readonly KeyAction[] };
}

/** What links open to their visitors, as data. */
export const linkOperations = {
  readFile: { permission: { actions: ["read"] } },
  readFolder: { permission: { actions: ["read", "list"] } },
  sendFiles: { permission: { actions: ["write"] } },
} as const satisfies Readonly<Record<string, LinkOperation>>;

type LinkKind = Pick<LinkRecord, "kind" | "subject">;

function operationOf({ kind, subject }: LinkKind): LinkOperation {
  if (kind === "drop") return linkOperations.sendFiles;
  return subject.kind === "file" ? linkOperations.readFile : linkOperations.readFolder;
}

/** The actions of a link's visitors. */
export const visitorActions = (link: LinkKind): ReadonlySet<KeyAction> =>
  new Set(operationOf(link).permission.actions);

/** What the maker of a link needs, so that visitors get nothing that it may not do itself. */
export const makerActions = (link: LinkKind): readonly KeyAction[] => [
  "share",
  ...operationOf(link).permission.actions,
];
