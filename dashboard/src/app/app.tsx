import { QueryClientProvider } from "@tanstack/react-query";
import { useEffect } from "react";
import { PageSkeleton } from "../components/page-skeleton.tsx";
import { Toasts } from "../components/toasts.tsx";
import { TooltipLayer } from "../components/tooltip-layer.tsx";
import { NotFoundPage } from "../pages/not-found/not-found-page.tsx";
import { queryClient } from "./client.ts";
import { ErrorBoundary } from "./error-boundary.tsx";
import { currentPath, redirectTo, usePath } from "./location.ts";
import { signInPath } from "./return-path.ts";
import { routeOf } from "./routes.tsx";
import { signedOutStore } from "./session-state.ts";
import { Shell } from "./shell.tsx";
import { useStore } from "./store.ts";
import { usePageChange } from "./use-page-change.ts";

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
  const needsSignIn = useStore(signedOutStore) && !found?.route.bare;
  useEffect(() => {
    if (needsSignIn) redirectTo(signInPath(path === "/" ? "/files" : currentPath()));
    else if (path === "/") redirectTo("/files");
  }, [path, needsSignIn]);
  usePageChange(path === "/" ? undefined : (found?.route.path ?? path), found?.route.title);
  if (path === "/" || needsSignIn) return null;

  const page = (
    <ErrorBoundary key={found?.route.path ?? path}>
      {found === undefined ? (
        <NotFoundPage />
      ) : (
        <found.route.Page rest={found.rest} fallback={<PageSkeleton />} />
      )}
    </ErrorBoundary>
  );
  return found?.route.bare ? page : <Shell current={found?.route.path}>{page}</Shell>;
}
