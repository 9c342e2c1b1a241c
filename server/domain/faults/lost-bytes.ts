import { Fault } from "./fault.ts";

/**
 * Acknowledged bytes of an unfinished upload are lost: the store says that they are absent, or they are
 * others than those that arrived. Never thrown because a read failed: then nothing is known.
 */
export class LostBytes extends Fault {
  constructor(message: string, cause?: unknown) {
    super("gone", message, { cause });
  }
}
