import type { Millis } from "../../domain/records.ts";
import type { FetchRecord } from "../port/fetches.ts";

export interface FetchesTable {
  upload_id: string;
  state: FetchRecord["state"];
  error: string | null;
  at: Millis;
}
