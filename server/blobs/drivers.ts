import { createDiskDriver } from "./disk/disk-driver.ts";
import type { BlobDriver } from "./driver.ts";
import { createS3Driver } from "./s3/s3-driver.ts";

const blobDrivers = { disk: createDiskDriver, s3: createS3Driver };

type DriverName = keyof typeof blobDrivers;
type SettingsOf<Name extends DriverName> = Parameters<(typeof blobDrivers)[Name]>[0];

/** The configured blob store and its settings. */
export type BlobChoice<Name extends DriverName = DriverName> = {
  readonly [Each in Name]: { readonly driver: Each; readonly settings: SettingsOf<Each> };
}[Name];

const factories: { readonly [Name in DriverName]: (settings: SettingsOf<Name>) => BlobDriver } =
  blobDrivers;

export function blobDriver<Name extends DriverName>({
  driver,
  settings,
}: BlobChoice<Name>): BlobDriver {
  return factories[driver](settings);
}
