import { blobDriver } from "../blobs/drivers.ts";
import { catalogDriver } from "../catalog/drivers.ts";
import type { MoveSource } from "../catalog/move-port.ts";
import { commandLine } from "../config/command-line.ts";
import type { Config } from "../config/config.ts";
import { type DataFolder, dataFolderAt } from "../fs/data-folder-layout.ts";
import { readSecret } from "../instance/auth-secret.ts";
import { lockForReading, openCopyFolder } from "../instance/copy-folder.ts";
import { refuseUnfinished, requireInstance } from "../instance/data-folder.ts";
import { readMarker } from "../instance/marker.ts";
import { refuseNested } from "../instance/refuse-nested.ts";
import { type Moved, move } from "../transfer/move.ts";
import type { TransferReport } from "../transfer/progress.ts";

export interface MoveResult extends Moved {
  /** The new instance signs URLs with a different AUTH_SECRET. */
  readonly invalidatesLinks: boolean;
}

/**
 * Copies the instance of one configuration to the stores of another. Never writes to the source. Error:
 * a server uses the source, it cannot be read, or the destination is not empty.
 */
export async function moveInstance(
  config: Config,
  to: Config,
  report: TransferReport,
): Promise<MoveResult> {
  refuseNested(to.dataPath, config.dataPath);
  const driver = catalogDriver(config.catalog);
  const folder = sourceFolder(config.dataPath);
  driver.requireCatalog(folder);
  const lock = lockForReading(folder.path);
  try {
    const source = await driver.openSource(folder, commandLine(config, "verify --repair"));
    try {
      return await moveFrom({ config, folder, source }, to, report);
    } finally {
      await source.close();
    }
  } finally {
    lock.release();
  }
}

interface Origin {
  readonly config: Config;
  readonly folder: DataFolder;
  readonly source: MoveSource;
}

async function moveFrom(origin: Origin, to: Config, report: TransferReport): Promise<MoveResult> {
  const { config, folder, source } = origin;
  const instanceId = source.rootId;
  const draft = await catalogDriver(to.catalog).openDestination(
    dataFolderAt(to.dataPath),
    instanceId,
  );
  try {
    if (draft.state === "published" && readMarker(to.dataPath)?.isWhole !== true) {
      throw new Error(
        "DATABASE_URL of the new instance already contains the catalog of this instance: choose an empty database or schema.",
      );
    }
    const purpose = { work: "migration", backupOf: instanceId } as const;
    const target = openCopyFolder(to.dataPath, "DATA_PATH", purpose);
    try {
      await draft.begin();
      const onTrouble = (message: string): void => report.onProblem("Holdall", message);
      const shared = { instanceId, onTrouble };
      const destination = await blobDriver(to.blobs).openDestination({
        ...shared,
        folder: target,
        isWhole: target.isWhole,
      });
      const hasFiles = (await source.blobsAfter(-1, 1)).length > 0;
      const from = await blobDriver(config.blobs).openSource({
        ...shared,
        folder,
        hasFiles,
        scratch: target,
      });
      const secret = config.authSecret ?? readSecret(folder);
      const moved = await move({
        source,
        from,
        to: {
          ...destination,
          draft,
          isPublished: draft.state === "published",
          publish: () =>
            target.publish(to.authSecret === null ? secret : undefined, async () => {
              await destination.publish();
              await draft.publish();
            }),
        },
        ...report,
      });
      return { ...moved, invalidatesLinks: (to.authSecret ?? secret) !== secret };
    } finally {
      target.release();
    }
  } finally {
    await draft.close();
  }
}

/** Creates nothing. Error: there is no instance, or an incomplete one. */
function sourceFolder(dataPath: string): DataFolder {
  requireInstance(dataPath);
  refuseUnfinished(dataPath, readMarker(dataPath) ?? {});
  return dataFolderAt(dataPath);
}
