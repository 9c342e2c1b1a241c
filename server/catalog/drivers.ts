import type { CatalogDriver } from "./driver.ts";
import { createPostgresDriver } from "./postgres/postgres-driver.ts";
import { createSqliteDriver } from "./sqlite/sqlite-driver.ts";

const catalogDrivers = { sqlite: createSqliteDriver, postgres: createPostgresDriver };

type DriverName = keyof typeof catalogDrivers;
type SettingsOf<Name extends DriverName> = Parameters<(typeof catalogDrivers)[Name]>[0];

/** Which engine keeps the catalog, with that engine's settings. */
export type CatalogChoice<Name extends DriverName = DriverName> = {
  readonly [Each in Name]: { readonly driver: Each; readonly settings: SettingsOf<Each> };
}[Name];

const factories: { readonly [Name in DriverName]: (settings: SettingsOf<Name>) => CatalogDriver } =
  catalogDrivers;

export function catalogDriver<Name extends DriverName>({
  driver,
  settings,
}: CatalogChoice<Name>): CatalogDriver {
  return factories[driver](settings);
}
