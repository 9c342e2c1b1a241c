import { CloudOff, RotateCw } from "lucide-react";
import { Button } from "./button.tsx";
import { EmptyState } from "./empty-state.tsx";

export interface LoadErrorProps {
  readonly title: string;
  readonly error: Error;
  readonly onRetry: () => void;
}

/** Shown when data could not be loaded: the reason and a retry button. */
export function LoadError({ title, error, onRetry }: LoadErrorProps) {
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
