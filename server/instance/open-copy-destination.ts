import type { OnTrouble } from "../blobs/driver.ts";
import { type BlobChoice, blobDriver } from "../blobs/drivers.ts";
import type { DataFolder } from "../fs/data-folder-layout.ts";
import type { Destination } from "../transfer/backup.ts";
import { readSecret } from "./auth-secret.ts";
import type { CopyFolder } from "./copy-folder.ts";

interface CopyDeps {
  /** The id of the copied instance's root folder. */
  readonly instanceId: string;
  /** The data folder with the secret that is copied. */
  readonly from: DataFolder;
  readonly onTrouble: OnTrouble;
}

/** Opens the destination of a backup or restore. Errors: same as `BlobDriver`. */
export async function openCopyDestination(
  target: CopyFolder,
  store: BlobChoice,
  { instanceId, from, onTrouble }: CopyDeps,
): Promise<Destination> {
  const { isWhole } = target;
  const { blobs, open, publish } = await blobDriver(store).openDestination({
    folder: target,
    instanceId,
    isWhole,
    onTrouble,
  });
  return {
    copies: await open(),
    blobs,
    publish: () => target.publish(readSecret(from), publish),
  };
}
