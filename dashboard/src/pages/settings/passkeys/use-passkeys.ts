import { useQuery } from "@tanstack/react-query";
import { holdall } from "../../../app/connection/client.ts";

export const PASSKEYS_KEY = ["passkeys"];

/** The account's passkeys, newest first. */
export const usePasskeys = () =>
  useQuery({
    queryKey: PASSKEYS_KEY,
    queryFn: ({ signal }) => holdall.account.passkeys({ signal }),
  });
