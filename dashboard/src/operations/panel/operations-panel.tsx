import { ChevronDown, ChevronUp, X } from "lucide-react";
import { useRef, useState } from "react";
import { useStore } from "../../app/store.ts";
import { FocusArea } from "../../components/focus-area.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { clearEnded, stopOperations } from "../operate.ts";
import { isStoppable, operations as operationsStore } from "../operations.ts";
import { announcement, panelTitle } from "./describe-operations.ts";
import { OperationRow } from "./operation-row.tsx";
import { StopButton } from "./stop-button.tsx";

/** The operations that take long, each with its progress or its outcome, on every page. */
export function OperationsPanel() {
  const operations = useStore(operationsStore).filter(({ isShown }) => isShown);
  const [isOpen, setOpen] = useState(true);
  const panel = useRef<HTMLElement>(null);
  const isRunning = operations.some(({ outcome }) => outcome === undefined);
  const stoppable = operations.filter(isStoppable);
  return (
    <>
      <div role="status" aria-live="polite" className="sr-only">
        {announcement(operations)}
      </div>
      {operations.length > 0 && (
        <section
          ref={panel}
          aria-label="Operations"
          tabIndex={-1}
          className="flex flex-none animate-rise flex-col overflow-hidden rounded-lg bg-surface shadow-dialog"
        >
          <header className="flex items-center gap-1 py-1.5 pr-2 pl-4">
            <h2 className="min-w-0 flex-1 truncate font-semibold text-sm tabular-nums">
              {panelTitle(operations)}
            </h2>
            <IconButton
              label={isOpen ? "Show less" : "Show all operations"}
              Icon={isOpen ? ChevronDown : ChevronUp}
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
              className="aria-expanded:bg-transparent"
            />
            {stoppable.length > 0 && (
              <StopButton
                label="Stop all"
                isStopped={stoppable.every(({ isStopped }) => isStopped)}
                onStop={stopOperations}
                around={panel}
              />
            )}
            {!isRunning && (
              <IconButton
                label="Close"
                Icon={X}
                onClick={({ detail }) => {
                  // The second click of a double click was for "Stop all".
                  if (detail > 1) return;
                  clearEnded();
                  document.getElementById("content")?.focus({ preventScroll: true });
                }}
              />
            )}
          </header>
          {isOpen && (
            <FocusArea
              label="All operations"
              className="max-h-[min(15rem,30dvh)] overflow-y-auto border-line border-t py-1"
            >
              <ul>
                {operations.map((operation) => (
                  <OperationRow key={operation.id} operation={operation} />
                ))}
              </ul>
            </FocusArea>
          )}
        </section>
      )}
    </>
  );
}
