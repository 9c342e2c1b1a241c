import { Badge } from "../../components/badge.tsx";
import type { Entry } from "./data/entry.ts";
import { isBucket } from "./data/is-bucket.ts";

/** Marks a folder that S3 clients see as a bucket. Renders nothing for other entries. */
export function BucketBadge({ entry }: { readonly entry: Entry }) {
  if (entry.kind !== "folder" || !isBucket(entry.folder)) return null;
  // On the narrowest phones, the size beside it would be cut.
  return (
    <span
      data-tooltip={`S3 clients see this folder as the bucket “${entry.folder.name}”`}
      className="flex-none leading-none max-[22rem]:hidden"
    >
      <Badge>Bucket</Badge>
    </span>
  );
}
