import type { Reachable } from "../../test/client.ts";
import { leftoversInTheEnd } from "../check.ts";
import { compare, type Differences, type Holdings } from "../holdings.ts";
import { see } from "../see.ts";
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
  const seen = await see(server);
  const lost = ledgers.flatMap((ledger) => {
    const mine = within(seen, ledger.folder);
    const differences = ledger.promises().map((promised) => compare(promised, mine));
    ledger.resume(mine);
    const [best] = differences.map(all).sort((a, b) => a.length - b.length);
    return best ?? [];
  });
  return { lost, leftovers: await leftoversInTheEnd(server.dataPath) };
}

const all = ({ lost, extra }: Differences): string[] => [...lost, ...extra];

function within({ files, folders }: Holdings, folder: string): Holdings {
  const isMine = (key: string) => key === folder || key.startsWith(`${folder}/`);
  return {
    files: new Map([...files].filter(([key]) => isMine(key))),
    folders: new Set([...folders].filter(isMine)),
  };
}
