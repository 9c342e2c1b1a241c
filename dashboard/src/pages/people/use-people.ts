import { type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { peopleOf } from "../../../../sdk/src/people.ts";
import { holdall } from "../../app/connection/client.ts";

export const people = peopleOf(holdall);

const peopleKey = ["people"] as const;

export const accountsQuery = queryOptions({
  queryKey: [...peopleKey, "accounts"],
  queryFn: ({ signal }) => people.accounts({ signal }),
});

export const invitesQuery = queryOptions({
  queryKey: [...peopleKey, "invites"],
  queryFn: ({ signal }) => people.invites({ signal }),
});

export const grantsQuery = queryOptions({
  queryKey: [...peopleKey, "grants"],
  queryFn: ({ signal }) => people.grants({ signal }),
});

/** Reads the lists again, and whether the navigation shows the page. */
const refresh = (client: QueryClient): Promise<unknown> =>
  Promise.all([
    client.invalidateQueries({ queryKey: peopleKey }),
    client.invalidateQueries({ queryKey: ["session"] }),
  ]);

/** A change of accounts, invitations or grants. */
export function usePeopleChange<Input, Result>(
  change: (input: Input) => Promise<Result>,
  onDone?: (result: Result, input: Input) => void,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (result, input) => {
      onDone?.(result, input);
      return refresh(client);
    },
  });
}
