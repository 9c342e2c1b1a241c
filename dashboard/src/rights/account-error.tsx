import { CenteredPage } from "../components/centered-page.tsx";
import { LoadError } from "../components/load-error.tsx";

export interface AccountErrorProps {
  readonly error: Error;
  readonly onRetry: () => void;
}

/** Takes the place of the first page if the session, which decides what it shows, could not be read. */
export const AccountError = ({ error, onRetry }: AccountErrorProps) => (
  <CenteredPage title="Holdall">
    <LoadError title="Couldn't load your account" error={error} onRetry={onRetry} />
  </CenteredPage>
);
