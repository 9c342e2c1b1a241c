import { showErrorToast } from "../../../components/toast-store.ts";
import { formatCount } from "../../../text/format-count.ts";
import type { BulkResult } from "./bulk-store.ts";

export const formatItems = (count: number): string => formatCount(count, "item");

/** Says why entries could not be changed, if any. `verb` is a past participle, such as "moved". */
export function reportFailure({ done, failed, failure }: BulkResult, verb: string): void {
  if (failure === undefined) return;
  showErrorToast(
    failed <= 1 && done === 0
      ? failure
      : new Error(`${formatItems(failed)} couldn't be ${verb}: ${failure.message}`),
  );
}
