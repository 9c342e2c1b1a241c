import { useState } from "react";
import { showErrorToast } from "../../components/toast-store.ts";
import type { AllOperations } from "../../operations/all-operations.ts";
import { loadOperations } from "../../operations/load-operations.ts";

export type Busy = "restoring" | "deleting";

/** What happens to items of the trash now, by their ids, and what runs an operation on items. */
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
