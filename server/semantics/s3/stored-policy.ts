import type { Key, Visibility } from "../../domain/records.ts";

/** The policy of a bucket, and what it has changed. */
export interface BucketPolicy {
  /** In JSON. */
  readonly document: string;
  /** The key of the bucket that the document names: one that was renamed has no policy. */
  readonly bucket: Key;
  /** Whether everyone may list the objects that are public. */
  readonly lists: boolean;
  /** Whether everyone may ask for the region. */
  readonly locates: boolean;
  /** The folder whose objects everyone may read, with its former default. */
  readonly opened?: { readonly id: string; readonly former: Visibility | null };
}

/** The policy in the settings of a bucket, as the catalog has written it. */
export const readBucketPolicy = (text: string): BucketPolicy => JSON.parse(text);
