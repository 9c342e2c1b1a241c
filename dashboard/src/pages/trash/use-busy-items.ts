import { useState } from "react";
import { showErrorToast } from "../../components/toast-store.ts";
import type { AllOperations } from "../../operations/all-operations.ts";
import { loadOperations } from "../../operations/load-operations.ts";

export type Busy = "restoring" | "deleting";

/** The operations that run on items of the trash now, by the items' ids, and a function that runs one. */
export function useBusyItems() {
  const [busy, setBusy] = useState<ReadonlyMap<string, Busy>>(new Map());
  const run = (
    ids: readonly string[],
    what: Busy,
    operation: (all: AllOperations) => Promise<void>,
  ): void => {
    setBusy((before) => new Map([...before, ...ids.map((id) => [id, what] as const)]));
    const ended = new Set(ids);
    loadOperations()
      .then(operation)
      .catch(showErrorToast)
      .finally(() => setBusy((before) => new Map([...before].filter(([id]) => !ended.has(id)))));
  };
  return { busy, run };
}
