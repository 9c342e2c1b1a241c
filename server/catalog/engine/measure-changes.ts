import { changeDurations } from "../../domain/process-figures.ts";
import type { Change } from "../changes.ts";

/** Measures each change, with its wait for others and for the commit. */
export const measureChanges =
  (change: Change): Change =>
  (name, input, caller) =>
    changeDurations.measure(() => change(name, input, caller));
