import type { Kysely } from "kysely";
import type { Millis } from "../../domain/records.ts";
import type { Change } from "../changes.ts";
import type { StatementRunner } from "./prepared-statement.ts";
import type { Schema } from "./schema.ts";

/**
 * What a catalog needs of a database. Throws driver errors as faults: "no_space" and "unavailable" as
 * the port says; others stay errors.
 */
export interface Engine extends StatementRunner {
  /** For reading only. */
  readonly db: Kysely<Schema>;
  /** Changes after every commit, by any process. Absent where reading it costs as much as a lookup. */
  readonly generation?: () => number;
  /**
   * Changes after every commit that changes credentials or writes when they were last used, and seldom otherwise.
   * Absent where `generation` is.
   */
  readonly credentialVersion?: () => number;
  readonly change: Change;
  /**
   * Gives the visible entries of the change feed their numbers. Absent where each change does so
   * itself.
   */
  readonly numberChanges?: () => Promise<void>;
  /** Damage that the engine finds in its own storage, one line each. May take long. */
  findDamage(): Promise<string[]>;
  /** See `CatalogVolume` of the port. */
  catalogSize(): Promise<number | null>;
  /** See `CatalogVolume` of the port. */
  missingReserve(): number;
  /** See `CatalogClock` of the port. */
  now(): Millis;
  /** Rejects when the database cannot be read. */
  ping(): Promise<void>;
  /** Finishes the changes that were accepted, then releases all resources. */
  close(): Promise<void>;
}

/** Makes the changes: on a thread of its own in a server, on the calling thread in a command. */
export type Writer = Pick<Engine, "change" | "close">;
