import type { Millis, Visibility } from "./records.ts";

/** Properties that a file must have to be found. All that are given must hold. */
export interface SearchFilter {
  /** A media type, or a group of them such as `image/*`. */
  readonly type?: string | undefined;
  readonly visibility?: Visibility | undefined;
  /** In bytes, inclusive. */
  readonly minSize?: number | undefined;
  readonly maxSize?: number | undefined;
  /** Inclusive. */
  readonly updatedSince?: Millis | undefined;
  /** Exclusive. */
  readonly updatedUntil?: Millis | undefined;
}

/** Whether the filter leaves out anything. */
export const isFiltering = (filter: SearchFilter): boolean =>
  Object.values(filter).some((value) => value !== undefined);
