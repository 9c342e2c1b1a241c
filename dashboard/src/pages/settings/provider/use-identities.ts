import { useQuery } from "@tanstack/react-query";
import { identitiesOf } from "../../../../../sdk/src/people.ts";
import { holdall } from "../../../app/connection/client.ts";

export const IDENTITIES_KEY = ["identities"];

/** The accounts at the provider that open this one. */
export const useIdentities = () =>
  useQuery({
    queryKey: IDENTITIES_KEY,
    queryFn: ({ signal }) => identitiesOf(holdall).identities({ signal }),
  });
