import type { Millis } from "../../domain/records.ts";

export interface SettingsTable {
  name: string;
  value: string;
}

export interface MigrationsTable {
  version: number;
  applied_at: Millis;
}
