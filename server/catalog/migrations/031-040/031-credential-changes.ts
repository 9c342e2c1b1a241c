import type { Migration } from "../migration.ts";

/** Cached credentials outlive the commits that change none of them. */
export const credentialChanges: Migration = (db, types) => types.countCredentialChanges(db);
