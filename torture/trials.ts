import { changes } from "./changes/changes.ts";
import { cluster } from "./cluster/cluster.ts";
import { cutUploads } from "./cut-uploads.ts";
import { downloads } from "./downloads.ts";
import { flips } from "./flips/flips.ts";
import { fullDisk } from "./full-disk/full-disk.ts";
import { interleavings } from "./interleavings/interleavings.ts";
import { ioErrors } from "./io-errors/io-errors.ts";
import { kill } from "./kill/kill.ts";
import { oneServer } from "./one-server.ts";
import { powerCuts } from "./power-cuts.ts";
import { races } from "./races.ts";
import { batches } from "./resumable/batches.ts";
import { resumable } from "./resumable/resumable.ts";
import { s3Api } from "./s3-api/s3-api.ts";
import { s3Storms } from "./s3-storms.ts";
import { soak } from "./soak.ts";
import { transfers } from "./transfers/transfers.ts";
import type { Trial } from "./trial.ts";
import { verifying } from "./verify/verify.ts";

/** All trials, the quick ones first. */
export const trials: readonly Trial[] = [
  races,
  verifying,
  flips,
  interleavings,
  oneServer,
  cutUploads,
  resumable,
  batches,
  s3Api,
  downloads,
  transfers,
  changes,
  s3Storms,
  cluster,
  powerCuts,
  soak,
  fullDisk,
  ioErrors,
  kill,
];
