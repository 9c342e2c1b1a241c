import { CircleAlert, CircleCheck, CircleStop } from "lucide-react";
import { type RefObject, useLayoutEffect, useRef } from "react";
import { Button } from "../../components/button.tsx";
import { Countdown } from "../../components/countdown.tsx";
import { Progress } from "../../components/progress.tsx";
import { Spinner } from "../../components/spinner.tsx";
import { addUndo, removeUndo } from "../../components/undo-store.ts";
import { undoOperation } from "../operate.ts";
import { isStoppable, type Operation, type Outcome } from "../operations.ts";
import { StopButton } from "./stop-button.tsx";

/** One operation: its progress while it runs, and then what it has done. */
export function OperationRow({ operation }: { readonly operation: Operation }) {
  const row = useRef<HTMLLIElement>(null);
  const { outcome } = operation;
  return (
    <li
      ref={row}
      tabIndex={-1}
      className="flex items-start gap-3 py-2 pr-2 pl-4 focus-visible:-outline-offset-2"
    >
      {outcome === undefined ? (
        <Running operation={operation} row={row} />
      ) : (
        <Ended {...operation} outcome={outcome} />
      )}
    </li>
  );
}

interface RunningProps {
  readonly operation: Operation;
  readonly row: RefObject<HTMLLIElement | null>;
}

function Running({ operation, row }: RunningProps) {
  const { title, done, total, waitingMessage, continuesAt, isStopped, stop } = operation;
  const hasCount = total > 1;
  const count = `${done.toLocaleString()} of ${total.toLocaleString()}`;
  const parts = [
    ...(hasCount ? [count] : []),
    ...(isStopped ? ["Stopping…"] : []),
    ...(waitingMessage !== undefined && !isStopped ? [waitingMessage] : []),
  ];
  return (
    <>
      <span className="mt-1.5 flex-none text-accent">
        <Spinner />
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-1.5 py-1">
        <p className="break-words text-sm">{title}</p>
        <div className="flex">
          <Progress label={title} value={hasCount ? done / total : undefined} />
        </div>
        <p className="min-h-4 break-words text-muted text-xs tabular-nums">
          {parts.join(" · ")}
          {continuesAt !== undefined && !isStopped && (
            <>
              {" "}
              <Countdown until={continuesAt} />
            </>
          )}
        </p>
      </div>
      {isStoppable(operation) && (
        <StopButton label={`Stop: ${title}`} isStopped={isStopped} onStop={stop} around={row} />
      )}
    </>
  );
}

interface EndedProps extends Operation {
  readonly outcome: Outcome;
}

function Ended({ id, title, done, total, isStopped, outcome }: EndedProps) {
  const { text, failure, undo } = outcome;
  const isCutShort = isStopped && done < total;
  const canUndo = undo !== undefined;
  // Ctrl+Z only undoes changes that the panel shows.
  useLayoutEffect(() => {
    if (!canUndo) return;
    const undoId = `operation ${id}`;
    addUndo(undoId, () => undoOperation(id));
    return () => removeUndo(undoId);
  }, [id, canUndo]);
  const [Icon, color] =
    failure !== undefined
      ? ([CircleAlert, "text-bad"] as const)
      : isCutShort
        ? ([CircleStop, "text-muted"] as const)
        : ([CircleCheck, "text-good"] as const);
  return (
    <>
      <Icon aria-hidden className={`mt-1.5 size-4 flex-none ${color}`} />
      <div className="min-w-0 flex-1 py-1 text-sm">
        <p className="break-words">{text ?? title}</p>
        {isCutShort && (
          <p className="text-muted text-xs tabular-nums">
            Stopped after {done.toLocaleString()} of {total.toLocaleString()}.
          </p>
        )}
        {failure !== undefined && <p className="break-words text-bad text-xs">{failure.message}</p>}
      </div>
      {canUndo && (
        <Button
          size="sm"
          variant="quiet"
          className="text-accent!"
          onClick={({ detail }) => {
            // The second click of a double click was for the button that was here.
            if (detail > 1) return;
            undoOperation(id);
            document.getElementById("content")?.focus({ preventScroll: true });
          }}
        >
          Undo
        </Button>
      )}
    </>
  );
}
