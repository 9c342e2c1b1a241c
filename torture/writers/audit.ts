import type { Reachable } from "../../test/client.ts";
import { waitForNoLeftovers } from "../check-server.ts";
import { compare, type Differences, type Inventory } from "../inventory.ts";
import { readInventory } from "../read-inventory.ts";
import type { Ledger } from "./ledger.ts";

export interface Audit {
  /** Differences from the ledgers, one sentence each. */
  readonly lost: readonly string[];
  readonly leftovers: readonly string[];
}

/**
 * Compares a running server with the ledgers of its clients. A change without a response must be
 * there completely or not at all. The ledgers continue from the actual state.
 */
export async function audit(
  server: Reachable & { readonly dataPath: string },
  ledgers: readonly Ledger[],
): Promise<Audit> {
  const actual = await readInventory(server);
  const lost = ledgers.flatMap((ledger) => {
    const mine = within(actual, ledger.folder);
    const differences = ledger.expectedStates().map((expected) => compare(expected, mine));
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
