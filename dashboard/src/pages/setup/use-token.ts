import { useSyncExternalStore } from "react";

/** The setup token in the URL's fragment. */
export const useToken = (): string =>
  useSyncExternalStore(
    (listener) => {
      window.addEventListener("hashchange", listener);
      return () => window.removeEventListener("hashchange", listener);
    },
    () => location.hash.slice(1),
  );
