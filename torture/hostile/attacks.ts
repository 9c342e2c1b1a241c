import type { Trial } from "../trial.ts";
import { forms } from "./forms.ts";

/** Every attack, the quick ones first. */
export const attacks: readonly Trial[] = [forms];
