import type { LinkRecord } from "../domain/links.ts";
import type { KeyAction } from "../domain/records.ts";

export interface LinkOperation<A extends KeyAction = KeyAction> {
  /** The actions of visitors on the shared file or folder. */
  readonly permission: { readonly actions: readonly A[] };
}

/** The operations that links open to their visitors. */
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

/** The actions that the maker of a link needs. Visitors never get an action that the maker lacks. */
export const makerActions = (link: LinkKind): readonly KeyAction[] => [
  "share",
  ...operationOf(link).permission.actions,
];
