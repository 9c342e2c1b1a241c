import { useQuery } from "@tanstack/react-query";
import type { ActivityObject } from "../../../../sdk/src/holdall.ts";
import { holdall } from "../../app/connection/client.ts";
import { useSession } from "../../app/session/session.ts";
import { useRights } from "../../rights/rights.ts";
import { accountsQuery } from "../people/use-people.ts";

export interface ActorOption {
  readonly id: string;
  readonly name: string;
}

/** Options of the actor filter: the account, all keys, and every actor in the events shown. */
export function useActors(
  events: readonly ActivityObject[],
  selected: string | undefined,
): readonly ActorOption[] {
  const session = useSession();
  const keys = useQuery({
    queryKey: ["keys"],
    queryFn: ({ signal }) => holdall.keys.list({ signal }),
  });
  const accounts = useQuery({ ...accountsQuery, enabled: useRights()?.hasOthers === true });
  const names = new Map<string, string>();
  const account = session.data?.account;
  if (account !== undefined) names.set(account.id, `You (${account.email})`);
  for (const { id, email } of accounts.data ?? []) if (!names.has(id)) names.set(id, email);
  for (const { id, name } of keys.data ?? []) names.set(id, `Key ${name}`);
  for (const { actor } of events) {
    if (actor.id === null || names.has(actor.id)) continue;
    const name = actor.name ?? "unknown";
    names.set(actor.id, actor.kind === "key" ? `Key ${name} (revoked)` : name);
  }
  if (selected !== undefined && !names.has(selected)) names.set(selected, "Deleted key");
  return [...names].map(([id, name]) => ({ id, name }));
}
