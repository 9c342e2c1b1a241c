import { useMutation, useQuery } from "@tanstack/react-query";
import { clearQueries, holdall, queryClient } from "./client.ts";
import { navigateTo, redirectTo } from "./location.ts";
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

/** After signing in: opens a page, with nothing of what was loaded without the session. */
export function enter(path: string): void {
  setSessionState("active");
  queryClient.removeQueries();
  redirectTo(path);
}
