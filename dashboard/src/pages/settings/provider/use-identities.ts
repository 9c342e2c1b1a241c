import { useQuery } from "@tanstack/react-query";
import { holdall } from "../../../app/client.ts";

export const IDENTITIES_KEY = ["identities"];

/** What the account is connected with at the provider. */
export const useIdentities = () =>
  useQuery({
    queryKey: IDENTITIES_KEY,
    queryFn: ({ signal }) => holdall.account.identities({ signal }),
  });
