import { useSyncExternalStore } from "react";

/** The secret of a setup link or an invitation, in the URL's fragment. */
export const useToken = (): string =>
  useSyncExternalStore(
    (listener) => {
      window.addEventListener("hashchange", listener);
      return () => window.removeEventListener("hashchange", listener);
    },
    () => location.hash.slice(1),
  );
