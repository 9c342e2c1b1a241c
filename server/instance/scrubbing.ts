import type { BlobInspection, Blobs } from "../blobs/port.ts";
import type { Catalog } from "../catalog/port.ts";
import type { Config } from "../config/config.ts";
import { type Scrub, startScrub } from "../files/scrub.ts";
import type { Log } from "../log.ts";

interface Stores {
  readonly catalog: Catalog;
  readonly blobs: Blobs & BlobInspection;
}

/** Reads all files again now and then, where the configuration says so, and logs what it finds. */
export function scrubbing(config: Config, log: Log, stores: Stores): Scrub | undefined {
  if (config.scrubEvery === null) return undefined;
  return startScrub({
    ...stores,
    every: config.scrubEvery,
    rate: config.scrubRate,
    onFinding: (finding) => log.error(finding, `damage: the scrub found a ${finding.type} file`),
    onFinish: ({ files, bytes, found }) => log.info({ files, bytes, found }, "Scrub finished"),
    onError: (message, cause) => log.error({ err: cause }, message),
  });
}
