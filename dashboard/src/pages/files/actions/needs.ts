import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import type { Right } from "../../../rights/rights.ts";

type Needs = readonly Right[];

/** The rights in a folder that the actions of the files page need. */
export const NEEDS = {
  read: ["read"],
  write: ["write"],
  edit: ["read", "write"],
  copy: ["read", "write"],
  /** Copies what a folder contains, too. */
  copyFolder: ["list", "read", "write"],
  zip: ["list", "read"],
  share: ["share", "read"],
  remove: ["discard"],
  destroy: ["delete"],
  restore: ["discard", "write"],
} as const satisfies Record<string, Needs>;

/** Copying what opens a file makes a link, unless the file has a public URL. */
export const needsOfCopying = ({ visibility }: FileObject): Needs | undefined =>
  visibility === "public" ? undefined : NEEDS.share;
