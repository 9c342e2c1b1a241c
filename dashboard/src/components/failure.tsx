import { CloudOff, RotateCw } from "lucide-react";
import { Button } from "./button.tsx";
import { EmptyState } from "./empty-state.tsx";

export interface FailureProps {
  readonly title: string;
  readonly error: Error;
  readonly onRetry: () => void;
}

/** In place of what could not be read: why, and another try. */
export function Failure({ title, error, onRetry }: FailureProps) {
  return (
    <EmptyState
      title={title}
      Icon={CloudOff}
      action={
        <Button Icon={RotateCw} onClick={onRetry}>
          Try again
        </Button>
      }
    >
      <p role="alert">{error.message}</p>
    </EmptyState>
  );
}
