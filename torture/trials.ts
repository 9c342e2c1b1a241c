import type { Trial } from "./trial.ts";

/** Every trial, the quick ones first. */
export const trials: readonly Trial[] = [];
