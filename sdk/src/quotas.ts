import type { Quota } from "../../contract/api.ts";
import type { BaseClient } from "./base-client.ts";
import type { CallOptions } from "./connection/options.ts";
import { type FolderSelector, fileQuery } from "./files/file-selector.ts";

export type { Quota } from "../../contract/api.ts";

export interface QuotaLimits {
  /** In bytes. */
  readonly maxBytes?: number | null | undefined;
  readonly maxFiles?: number | null | undefined;
}

/** Quotas of folders directly below the root. Every method throws a `HoldallError` if the request fails. */
export interface Quotas {
  /** With a folder, only the one that its content counts for, if there is one. 404: the folder does not exist. */
  list(folder?: FolderSelector, options?: CallOptions): Promise<Quota[]>;
  /**
   * Limits what a folder may contain, with its trash and earlier versions. A limit that is left out stays; null: none.
   * Returns null if there is no quota any more. 404: the folder does not exist.
   */
  set(folder: FolderSelector, limits: QuotaLimits, options?: CallOptions): Promise<Quota | null>;
}

export function quotasOf(holdall: Pick<BaseClient, "call">): Quotas {
  return {
    async list(folder, { signal } = {}) {
      const query = folder === undefined ? {} : fileQuery(folder);
      return (await holdall.call("readQuotas", { query, signal })).quotas;
    },
    async set(folder, { maxBytes, maxFiles }, { signal } = {}) {
      const body = { ...fileQuery(folder), maxBytes, maxFiles };
      return (await holdall.call("setQuota", { body, signal, isLong: true })).quota;
    },
  };
}
