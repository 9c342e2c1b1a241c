import { useSession } from "../app/session.ts";
import { CenteredPage } from "../components/centered-page.tsx";
import { LoadError } from "../components/load-error.tsx";

/** Reads the session before the first page, where it decides what the page shows. */
export function SessionGate() {
  const { error, refetch } = useSession();
  if (error === null) return null;
  return (
    <CenteredPage title="Holdall">
      <LoadError title="Couldn't load your account" error={error} onRetry={() => void refetch()} />
    </CenteredPage>
  );
}
