import type { Trial } from "../trial.ts";
import { behind } from "./behind.ts";
import { clients } from "./clients.ts";
import { forms } from "./forms.ts";
import { loss } from "./loss.ts";
import { names } from "./names.ts";
import { signatures } from "./signatures.ts";
import { slow } from "./slow.ts";
import { timing } from "./timing.ts";

/** Every attack, the quick ones first. */
export const attacks: readonly Trial[] = [
  behind,
  loss,
  signatures,
  clients,
  timing,
  names,
  forms,
  slow,
];
