import { QueryClientProvider } from "@tanstack/react-query";
import { useEffect } from "react";
import { PageSkeleton } from "../components/page-skeleton.tsx";
import { Toasts } from "../components/toasts.tsx";
import { TooltipLayer } from "../components/tooltip-layer.tsx";
import { useRights } from "../rights/rights.ts";
import { queryClient } from "./connection/client.ts";
import { ErrorBoundary } from "./error-boundary.tsx";
import { lazyComponent } from "./lazy-component.tsx";
import { currentPath, redirectTo, usePath } from "./navigation/location.ts";
import { signInPath } from "./navigation/return-path.ts";
import { usePageChange } from "./navigation/use-page-change.ts";
import { mayOpen, type Route, routeOf } from "./routes.tsx";
import { useSession } from "./session/session.ts";
import { signedOutStore } from "./session/session-state.ts";
import { Shell } from "./shell.tsx";
import { useStore } from "./store.ts";

const SecondFactorPage = lazyComponent(
  async () => (await import("../rights/second-factor-page.tsx")).SecondFactorPage,
);

const NotFoundPage = lazyComponent(
  async () => (await import("../pages/not-found/not-found-page.tsx")).NotFoundPage,
);

const NoSpace = lazyComponent(async () => (await import("../rights/no-space.tsx")).NoSpace);

const AccountError = lazyComponent(
  async () => (await import("../rights/account-error.tsx")).AccountError,
);

/** The whole dashboard: the page of the current URL inside the shell. */
export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <Current />
      <Toasts />
      <TooltipLayer />
    </QueryClientProvider>
  );
}

function Current() {
  const path = usePath();
  const found = routeOf(path);
  const rights = useRights();
  const needsSignIn = useStore(signedOutStore) && !found?.route.bare;
  useEffect(() => {
    if (needsSignIn) redirectTo(signInPath(path === "/" ? "/files" : currentPath()));
    else if (path === "/") redirectTo("/files");
  }, [path, needsSignIn]);
  usePageChange(path === "/" ? undefined : (found?.route.path ?? path), found?.route.title);
  if (path === "/" || needsSignIn) return null;

  if (found?.route.bare) {
    return (
      <ErrorBoundary key={found.route.path}>
        <found.route.Page rest={found.rest} fallback={<PageSkeleton />} />
      </ErrorBoundary>
    );
  }
  if (rights === undefined) return <SessionGate />;
  if (rights.needsSecondFactor) return <SecondFactorPage />;
  const { role, space } = rights;
  const hasFiles = role === "owner" || (space !== undefined && space.folder.key !== null);
  const isOpen = found !== undefined && (hasFiles ? mayOpen(found.route) : isOwn(found.route));
  return (
    <Shell current={isOpen ? found.route.path : undefined}>
      {/* Another space has other files: nothing of a page stays. */}
      <ErrorBoundary key={`${space?.id} ${found?.route.path ?? path}`}>
        {isOpen ? (
          <found.route.Page rest={found.rest} fallback={<PageSkeleton />} />
        ) : hasFiles ? (
          <NotFoundPage />
        ) : (
          <NoSpace isInTrash={space !== undefined} />
        )}
      </ErrorBoundary>
    </Shell>
  );
}

/** Whether the page is about the account itself, which needs no files. */
const isOwn = ({ path }: Route): boolean => path === "/settings";

/** Reads the session before the first page, where it decides what the page shows. */
function SessionGate() {
  const { error, refetch } = useSession();
  return error === null ? null : <AccountError error={error} onRetry={() => void refetch()} />;
}
