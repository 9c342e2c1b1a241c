/** What happened in the catalog that whoever runs the service should find in the log. */
export type CatalogEvent =
  | { readonly event: "migrated"; readonly version: number }
  /** The file is so large that the start did not wait for its check. */
  | { readonly event: "not checked" }
  /** Nothing can be stored; deletions live on room that was set aside for them. */
  | { readonly event: "disk full" }
  | { readonly event: "disk has room" };
