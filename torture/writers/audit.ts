import type { Reachable } from "../../test/client.ts";
import { waitForNoLeftovers } from "../check-server.ts";
import { compare, type Differences, type Inventory } from "../inventory.ts";
import { readInventory } from "../read-inventory.ts";
import type { Ledger } from "./ledger.ts";

export interface Audit {
  /** What was promised and is not so, one sentence each. */
  readonly lost: readonly string[];
  readonly leftovers: readonly string[];
}

/**
 * Holds a running server to the ledgers of all who wrote to it. Whoever has no answer to the last
 * change finds it made or not made, never in between. They go on from what is there.
 */
export async function audit(
  server: Reachable & { readonly dataPath: string },
  ledgers: readonly Ledger[],
): Promise<Audit> {
  const seen = await readInventory(server);
  const lost = ledgers.flatMap((ledger) => {
    const mine = within(seen, ledger.folder);
    const differences = ledger.expectedStates().map((promised) => compare(promised, mine));
    ledger.continueFrom(mine);
    const [best] = differences.map(all).sort((a, b) => a.length - b.length);
    return best ?? [];
  });
  return { lost, leftovers: await waitForNoLeftovers(server.dataPath) };
}

const all = ({ lost, extra }: Differences): string[] => [...lost, ...extra];

function within({ files, folders }: Inventory, folder: string): Inventory {
  const isMine = (key: string) => key === folder || key.startsWith(`${folder}/`);
  return {
    files: new Map([...files].filter(([key]) => isMine(key))),
    folders: new Set([...folders].filter(isMine)),
  };
}
