import { type Bed, makeBed } from "./bed.ts";

let bed: Promise<Bed> | undefined;

/**
 * One server for all tests that keep to folders of their own and leave the account alone. It is
 * ended with the process.
 */
export function sharedBed(): Promise<Bed> {
  bed ??= makeBed();
  return bed;
}
