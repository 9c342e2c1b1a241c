import { useMutation, useQuery } from "@tanstack/react-query";
import { clearQueries, holdall } from "./client.ts";
import { navigateTo } from "./location.ts";

/** The signed-in account. Without a session the client redirects to the sign-in page. */
export function useSession() {
  return useQuery({
    queryKey: ["session"],
    queryFn: ({ signal }) => holdall.account.whoAmI({ signal }),
    staleTime: 5 * 60_000,
  });
}

export function useSignOut() {
  return useMutation({
    mutationFn: () => holdall.account.signOut(),
    onSuccess: () => {
      navigateTo("/sign-in");
      clearQueries();
    },
  });
}
