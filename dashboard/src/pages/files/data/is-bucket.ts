import { isBucketName } from "../../../../../contract/text/bucket-name.ts";
import type { FolderObject } from "../../../../../sdk/src/holdall.ts";

/** Whether S3 clients see the folder as a bucket: it is at the top level, with a valid bucket name. */
export const isBucket = ({ key, name }: Pick<FolderObject, "key" | "name">): boolean =>
  key === name && isBucketName(name);
