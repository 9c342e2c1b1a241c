import { RotateCw } from "lucide-react";
import { Component, type ReactNode } from "react";
import { Button } from "../components/button.tsx";
import { EmptyState } from "../components/empty-state.tsx";
import { checkConnection, onReconnect } from "./connection/connection.ts";

interface Props {
  readonly children: ReactNode;
}

interface State {
  readonly error?: unknown;
}

/**
 * Offers a reload when a page throws or its script cannot be loaded. After an interruption of the
 * connection the page shows itself.
 */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = {};

  static getDerivedStateFromError(error: unknown): State {
    return { error };
  }

  #stopWaiting: (() => void) | undefined;
  #hasRetried = false;

  /** A script that could not be loaded is loaded again once the server can be reached. */
  override componentDidCatch(error: unknown): void {
    if (!isLoadError(error)) return;
    this.#stopWaiting ??= onReconnect(() => this.#retry());
    if (this.#hasRetried) return;
    void checkConnection().then((isReachable) => {
      // It was a short interruption, or the script is gone: then one more try is enough.
      if (isReachable && !this.#hasRetried) this.#retry();
    });
  }

  override componentWillUnmount(): void {
    this.#stopWaiting?.();
  }

  #retry(): void {
    this.#hasRetried = true;
    this.setState({ error: undefined });
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <main id="content" tabIndex={-1} className="grid min-h-full place-items-center p-6">
        <EmptyState
          title="Couldn't show this page"
          action={
            <Button variant="primary" Icon={RotateCw} onClick={() => location.reload()}>
              Reload
            </Button>
          }
        >
          <p role="alert">
            {isLoadError(error)
              ? "Part of the dashboard couldn't be loaded. The server may have been updated, or the connection lost."
              : `Something in the dashboard went wrong${error instanceof Error ? `: ${error.message}` : "."}`}
          </p>
          <p>Your files are safe.</p>
        </EmptyState>
      </main>
    );
  }
}

const isLoadError = (error: unknown): boolean =>
  error instanceof TypeError && /import|module|fetch/i.test(error.message);
