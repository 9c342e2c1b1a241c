import { useMutation, useQuery } from "@tanstack/react-query";
import type { AccountObject } from "../../../../sdk/src/holdall.ts";
import { applySession, expectRights } from "../../rights/rights.ts";
import { clearQueries, holdall, isStatus, queryClient } from "../connection/client.ts";
import { keyOfPath } from "../navigation/file-paths.ts";
import { currentPath, navigateTo, redirectTo } from "../navigation/location.ts";
import { returnPath } from "../navigation/return-path.ts";
import { noteRefusal, onOtherTab, setSessionState, signedOutStore } from "./session-state.ts";

/** The signed-in account. Without a session the client redirects to the sign-in page. */
export function useSession() {
  return useQuery({
    queryKey: ["session"],
    queryFn: async ({ signal }) => {
      const session = await holdall.account.whoAmI({ signal });
      setSessionState("active");
      applySession(session, shownFolder());
      return session;
    },
    staleTime: 5 * 60_000,
  });
}

export function useSignOut() {
  return useMutation({
    mutationFn: () => holdall.account.signOut(),
    onSuccess: (url) => {
      setSessionState("none");
      if (url === null) navigateTo("/sign-in");
      // The provider's page, which sends the browser back.
      else location.assign(url);
      clearQueries();
    },
  });
}

/** The key of the folder that the files page shows; undefined: another page, or the root, is shown. */
function shownFolder(): string | undefined {
  const path = currentPath().replace(/\?.*/, "");
  return path.startsWith("/files/") ? keyOfPath(path.slice("/files/".length)) : undefined;
}

/**
 * After signing in: opens a page, with nothing of what was loaded without the session. `role`: undefined if another tab
 * has signed in.
 */
export function enter(path: string, role: AccountObject["role"] | undefined): void {
  setSessionState("active");
  expectRights(role);
  queryClient.removeQueries();
  redirectTo(path);
}

/**
 * Shows the sign-in page when another tab signs out, and leaves it when another tab signs in. When another tab
 * was refused, asks the server whether this one is, too.
 */
export function followOtherTabs(): void {
  onOtherTab((state) => {
    if (state === "ended") void checkSession();
    else if (state === "none") clearQueries();
    else if (currentPath().startsWith("/sign-in")) enter(returnPath(location.search), undefined);
  });
}

async function checkSession(): Promise<void> {
  if (signedOutStore.get()) return;
  try {
    await holdall.account.whoAmI();
  } catch (error) {
    // Without an answer, the next request shows whether the session has ended.
    if (!isStatus(error, 401)) return;
    noteRefusal();
    clearQueries();
  }
}
