import type { Trash } from "../catalog/port/trash.ts";
import type { Versions } from "../catalog/port/versions.ts";
import { type Caller, SYSTEM } from "../domain/callers/caller.ts";
import { isUnlimited } from "../domain/callers/scope.ts";
import { Fault } from "../domain/faults/fault.ts";

/**
 * The error, or a fault "no_space" that also says what the trash and the versions hold: only for callers
 * without limits, as that is a figure of the whole instance.
 */
export type ExplainNoSpace = (caller: Pick<Caller, "scope">, error: unknown) => Promise<unknown>;

export function createExplainNoSpace(
  catalog: Pick<Trash, "trashTotals"> & Pick<Versions, "versionTotals">,
): ExplainNoSpace {
  async function keptBytes(): Promise<number> {
    const [trash, versions] = await Promise.all([
      catalog.trashTotals(SYSTEM),
      catalog.versionTotals(),
    ]);
    return trash.bytes + versions.bytes;
  }

  return async ({ scope }, error) => {
    if (!(error instanceof Fault) || error.kind !== "no_space" || !isUnlimited(scope)) return error;
    // The refusal is right without it.
    const bytes = await keptBytes().catch(() => 0);
    if (bytes === 0) return error;
    const hint = `The trash and earlier versions hold ${bytes} bytes.`;
    return new Fault("no_space", `${error.message} ${hint}`, { cause: error });
  };
}
