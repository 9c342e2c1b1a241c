/** The fields that `include` can add to the files of a list, in the order of the documentation. */
export const includable = ["digest", "metadata", "etag", "lastingUrl", "lifetime"] as const;
export type Included = (typeof includable)[number];
