import { useMutation, useQuery } from "@tanstack/react-query";
import { clearQueries, holdall } from "./client.ts";
import { navigateTo } from "./location.ts";
import { setSessionState } from "./session-state.ts";

/** The signed-in account. Without a session the client redirects to the sign-in page. */
export function useSession() {
  return useQuery({
    queryKey: ["session"],
    queryFn: async ({ signal }) => {
      const session = await holdall.account.whoAmI({ signal });
      setSessionState("active");
      return session;
    },
    staleTime: 5 * 60_000,
  });
}

export function useSignOut() {
  return useMutation({
    mutationFn: () => holdall.account.signOut(),
    onSuccess: () => {
      setSessionState("none");
      navigateTo("/sign-in");
      clearQueries();
    },
  });
}
