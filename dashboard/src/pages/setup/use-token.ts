import { useSyncExternalStore } from "react";

/** What follows the `#` of the address. */
export const useToken = (): string =>
  useSyncExternalStore(
    (listener) => {
      window.addEventListener("hashchange", listener);
      return () => window.removeEventListener("hashchange", listener);
    },
    () => location.hash.slice(1),
  );
