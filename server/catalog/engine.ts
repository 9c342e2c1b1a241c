import type { Kysely } from "kysely";
import type { Change } from "./changes/changes.ts";
import type { StatementRunner } from "./prepared-statement.ts";
import type { Schema } from "./schema.ts";

/**
 * What a database must offer for a catalog. Driver errors come out of it as faults: "no_space"
 * and "unavailable" as the port says; anything else stays an error.
 */
export interface Engine extends StatementRunner {
  /** For reading only. */
  readonly db: Kysely<Schema>;
  /**
   * A number that is another one once anybody has committed anything, this process or another.
   * Left out where asking for it costs as much as a lookup.
   */
  readonly generation?: () => number;
  /** Runs a change of `changes.ts` in a transaction; resolves when it survives a power cut. */
  readonly change: Change;
  /** What the engine finds damaged in its own data, one line each; may take long. None where it cannot tell. */
  findDamage(): Promise<string[]>;
  /** See `Volume` of the port. */
  missingReserve(): number;
  /** Finishes the changes that were accepted, then lets go of everything. */
  close(): Promise<void>;
}

/** Makes the changes: on a thread of its own in a server, on the calling thread in a command. */
export type Writer = Pick<Engine, "change" | "close">;
