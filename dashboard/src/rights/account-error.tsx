import { CenteredPage } from "../components/centered-page.tsx";
import { LoadError } from "../components/load-error.tsx";

export interface AccountErrorProps {
  readonly error: Error;
  readonly onRetry: () => void;
}

/** In place of the first page, where the session decides what it shows, and could not be read. */
export const AccountError = ({ error, onRetry }: AccountErrorProps) => (
  <CenteredPage title="Holdall">
    <LoadError title="Couldn't load your account" error={error} onRetry={onRetry} />
  </CenteredPage>
);
