import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { Holdall, HoldallError } from "../../../sdk/src/holdall.ts";
import { watchedFetch, whenBack } from "./connection.ts";
import { base, goInstead, here } from "./location.ts";
import { signInPath } from "./return-path.ts";

const server = { url: location.origin + base, fetch: watchedFetch };

/** The server, with the session of this browser. */
export const holdall = new Holdall({ ...server, retries: 1 });

/** The same without further attempts, for what waits and tries again in view. */
export const holdallOnce = new Holdall({ ...server, retries: 0 });

/** Whether the server said no with this status. */
export const isStatus = (error: unknown, status: number): boolean =>
  error instanceof HoldallError && error.status === status;

/** What a query or mutation can say of itself. */
export interface Meta extends Record<string, unknown> {
  /** 401 means something else here than "sign in again". */
  readonly ownUnauthorized?: boolean;
}

declare module "@tanstack/react-query" {
  interface Register {
    queryMeta: Meta;
    mutationMeta: Meta;
  }
}

function onError(error: unknown, meta: Meta | undefined): void {
  if (!isStatus(error, 401) || meta?.ownUnauthorized === true) return;
  goInstead(signInPath(here()));
  forget();
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error, query) => onError(error, query.meta) }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _result, mutation) => onError(error, mutation.meta),
  }),
  defaultOptions: {
    // The SDK tries again by itself where that makes sense.
    queries: { retry: false, networkMode: "always", staleTime: 10_000 },
    mutations: { retry: false, networkMode: "always" },
  },
});

whenBack(() => void queryClient.invalidateQueries());

/** Drops everything that was read for whoever was signed in. */
export function forget(): void {
  // What is on the screen is about to go; asking for it again would only be refused.
  void queryClient.cancelQueries();
  queryClient.removeQueries();
}
