import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { BaseClient } from "../../../../sdk/src/base-client.ts";
import { HoldallError } from "../../../../sdk/src/connection/error.ts";
import { spaceId } from "../../rights/rights.ts";
import { basePath, currentPath, redirectTo } from "../navigation/location.ts";
import { signInPath } from "../navigation/return-path.ts";
import { noteRefusal } from "../session/session-state.ts";
import { monitoredFetch, onReconnect } from "./connection.ts";

const server = { url: location.origin + basePath, fetch: monitoredFetch, space: spaceId };

/** The SDK client, authenticated by this browser's session cookie. */
export const holdall = new BaseClient({ ...server, retries: 1 });

/** The client without retries, for callers that retry visibly themselves. */
export const holdallWithoutRetries = new BaseClient({ ...server, retries: 0 });

/** Whether the error is a response with this status. */
export const isStatus = (error: unknown, status: number): boolean =>
  error instanceof HoldallError && error.status === status;

const SPACE_REFUSED: readonly (string | undefined)[] = [
  "unknown_space",
  "space_required",
  "no_grant",
  "second_factor_required",
];

/** Whether the account has other rights than the dashboard knows of. */
const hasOtherRights = (error: unknown): boolean =>
  error instanceof HoldallError && SPACE_REFUSED.includes(error.code);

/** How long to wait before the next attempt, in milliseconds, by the error of a refused request. */
export const waitAfter = (error: unknown): number =>
  1_000 * ((error instanceof HoldallError ? error.retryAfter : undefined) ?? 1);

/** Options that a query or mutation can set in `meta`. */
export interface RequestMeta extends Record<string, unknown> {
  /** The caller handles 401 itself: it does not mean "sign in again". */
  readonly handlesUnauthorized?: boolean;
}

declare module "@tanstack/react-query" {
  interface Register {
    queryMeta: RequestMeta;
    mutationMeta: RequestMeta;
  }
}

function onError(error: unknown, meta: RequestMeta | undefined): void {
  if (hasOtherRights(error)) void queryClient.invalidateQueries({ queryKey: ["session"] });
  if (!isStatus(error, 401) || meta?.handlesUnauthorized === true) return;
  noteRefusal();
  redirectTo(signInPath(currentPath()));
  clearQueries();
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error, query) => onError(error, query.meta) }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _result, mutation) => onError(error, mutation.meta),
  }),
  defaultOptions: {
    // The SDK retries by itself where that makes sense, once. Too many requests are waited out.
    queries: {
      retry: (_count, error) => isStatus(error, 429),
      retryDelay: (_count, error) => waitAfter(error),
      networkMode: "always",
      staleTime: 10_000,
    },
    mutations: { retry: false, networkMode: "always" },
  },
});

onReconnect(() => void queryClient.invalidateQueries());

/** Drops everything cached for the account that was signed in. */
export function clearQueries(): void {
  // The current page is about to unmount; refetching its data would only be refused.
  void queryClient.cancelQueries();
  queryClient.removeQueries();
}
