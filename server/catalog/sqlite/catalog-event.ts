/** What happened in the catalog that whoever runs the service should find in the log. */
export type CatalogEvent = { readonly event: "migrated"; readonly version: number };
