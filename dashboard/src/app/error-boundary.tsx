import { RotateCw } from "lucide-react";
import { Component, type ReactNode } from "react";
import { Button } from "../components/button.tsx";
import { EmptyState } from "../components/empty-state.tsx";

interface Props {
  readonly children: ReactNode;
}

interface State {
  readonly error?: unknown;
}

/** Shows what can be done when a page breaks or its script cannot be fetched. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = {};

  static getDerivedStateFromError(error: unknown): State {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <main id="content" tabIndex={-1} className="grid min-h-full place-items-center p-6">
        <EmptyState
          title="This page could not be shown"
          action={
            <Button variant="primary" Icon={RotateCw} onClick={() => location.reload()}>
              Load it again
            </Button>
          }
        >
          <p role="alert">
            {isFetchFailure(error)
              ? "A part of the dashboard could not be fetched: the server may have been updated, or the connection is gone."
              : `Something in the dashboard went wrong${error instanceof Error ? `: ${error.message}` : "."}`}
          </p>
          <p>Nothing that is stored has been harmed.</p>
        </EmptyState>
      </main>
    );
  }
}

const isFetchFailure = (error: unknown): boolean =>
  error instanceof TypeError && /import|module|fetch/i.test(error.message);
