import { CircleAlert, CircleCheck, CircleStop, X } from "lucide-react";
import { Button } from "../../components/button.tsx";
import { Countdown } from "../../components/countdown.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { Progress } from "../../components/progress.tsx";
import { Spinner } from "../../components/spinner.tsx";
import { undoOperation } from "../operate.ts";
import type { Operation, Outcome } from "../operations.ts";

/** One operation: its progress while it runs, and then what it has done. */
export function OperationRow({ operation }: { readonly operation: Operation }) {
  const { id, outcome } = operation;
  return (
    <li className="flex items-start gap-3 py-2 pr-2 pl-4">
      {outcome === undefined ? (
        <Running {...operation} />
      ) : (
        <Ended
          {...operation}
          outcome={outcome}
          onUndo={() => {
            undoOperation(id);
            document.getElementById("content")?.focus({ preventScroll: true });
          }}
        />
      )}
    </li>
  );
}

function Running(operation: Operation) {
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
      <IconButton label={`Stop: ${title}`} Icon={X} disabled={isStopped} onClick={stop} />
    </>
  );
}

interface EndedProps extends Operation {
  readonly outcome: Outcome;
  readonly onUndo: () => void;
}

function Ended({ title, done, total, isStopped, outcome, onUndo }: EndedProps) {
  const { text, failure, undo } = outcome;
  const [Icon, color] =
    failure !== undefined
      ? ([CircleAlert, "text-bad"] as const)
      : isStopped
        ? ([CircleStop, "text-muted"] as const)
        : ([CircleCheck, "text-good"] as const);
  return (
    <>
      <Icon aria-hidden className={`mt-1.5 size-4 flex-none ${color}`} />
      <div className="min-w-0 flex-1 py-1 text-sm">
        <p className="break-words">{text ?? title}</p>
        {isStopped && (
          <p className="text-muted text-xs tabular-nums">
            Stopped after {done.toLocaleString()} of {total.toLocaleString()}.
          </p>
        )}
        {failure !== undefined && <p className="break-words text-bad text-xs">{failure.message}</p>}
      </div>
      {undo !== undefined && (
        <Button size="sm" variant="quiet" className="text-accent!" onClick={onUndo}>
          Undo
        </Button>
      )}
    </>
  );
}
