import type { Trial } from "../trial.ts";
import { clients } from "./clients.ts";
import { forms } from "./forms.ts";
import { limitedKey } from "./limited-key.ts";
import { names } from "./names.ts";
import { packetLoss } from "./packet-loss.ts";
import { proxies } from "./proxies.ts";
import { s3 } from "./s3.ts";
import { signatures } from "./signatures.ts";
import { slowTransfers } from "./slow-transfers.ts";
import { slowloris } from "./slowloris.ts";
import { timing } from "./timing.ts";

/** All attacks, the quick ones first. */
export const attacks: readonly Trial[] = [
  proxies,
  packetLoss,
  signatures,
  s3,
  clients,
  timing,
  names,
  limitedKey,
  forms,
  slowloris,
  slowTransfers,
];
