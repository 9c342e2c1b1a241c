import { type Bed, makeBed } from "./bed.ts";

let bed: Promise<Bed> | undefined;

/**
 * One server for all tests that use folders of their own and do not touch the account. It ends with
 * the process.
 */
export function sharedBed(): Promise<Bed> {
  bed ??= makeBed();
  return bed;
}
