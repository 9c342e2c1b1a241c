import { ChevronDown, ChevronUp, RotateCw, X } from "lucide-react";
import { type RefObject, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { useSession } from "../../app/session.ts";
import { Button } from "../../components/button.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { Progress } from "../../components/progress.tsx";
import { summaryOf } from "../summary.ts";
import { uploads } from "../uploads.ts";
import { ConflictPrompt } from "./conflict-prompt.tsx";
import { PauseNotice } from "./pause-notice.tsx";
import { formatProgress, queueTitle } from "./status-text.ts";
import { UploadList } from "./upload-list.tsx";

/** The upload panel, shown on every page. */
export function UploadPanel() {
  const { items, pause, speed } = useSyncExternalStore(uploads.subscribe, uploads.state);
  const summary = useMemo(() => summaryOf(items), [items]);
  const [isOpen, setOpen] = useState(true);
  const panel = useRef<HTMLElement>(null);
  useResumeAfterSignIn();
  useRoomBelowMessages(panel, items.length > 0);
  if (items.length === 0) return null;

  const { count, size, sent, isRunning, taken } = summary;
  const title = queueTitle(summary);
  return (
    <section
      ref={panel}
      aria-label="Uploads"
      data-uploads
      className="fixed right-2 bottom-2 left-2 z-30 flex animate-rise flex-col overflow-hidden rounded-lg bg-surface shadow-dialog sm:left-auto sm:w-104 md:right-4 md:bottom-4"
    >
      <div role="status" aria-live="polite" className="sr-only">
        {isRunning ? "Uploading" : title}
      </div>
      <header className="flex items-center gap-1 py-1.5 pr-2 pl-4">
        <h2 className="min-w-0 flex-1 truncate font-semibold text-sm tabular-nums">{title}</h2>
        <IconButton
          label={isOpen ? "Show less" : "Show all uploads"}
          Icon={isOpen ? ChevronDown : ChevronUp}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="aria-expanded:bg-transparent"
        />
        {isRunning || taken !== undefined ? (
          <IconButton label="Cancel all" Icon={X} onClick={() => uploads.cancel("all")} />
        ) : (
          <IconButton label="Close" Icon={X} onClick={uploads.clear} />
        )}
      </header>
      {isRunning && (
        <div className="flex flex-col gap-1.5 px-4 pb-3">
          <Progress label="Total progress" value={size === 0 ? undefined : sent / size} />
          <p className="truncate text-muted text-xs tabular-nums">
            {formatProgress(sent, size, speed)}
          </p>
        </div>
      )}
      {pause !== undefined && isRunning && <PauseNotice pause={pause} />}
      {isOpen && taken !== undefined && (
        <ConflictPrompt key={taken.id} item={taken} count={count.taken} isRunning={isRunning} />
      )}
      {isOpen && <UploadList items={items} />}
      {isOpen && count.failed > 1 && (
        <div className="flex justify-end border-line border-t px-3 py-2">
          <Button size="sm" Icon={RotateCw} onClick={() => uploads.retry("failed")}>
            Retry all {count.failed.toLocaleString()}
          </Button>
        </div>
      )}
    </section>
  );
}

/** Keeps notifications above the panel. */
function useRoomBelowMessages(panel: RefObject<HTMLElement | null>, isShown: boolean): void {
  useEffect(() => {
    const { style } = document.documentElement;
    if (!isShown || panel.current === null) return;
    const observer = new ResizeObserver(([entry]) => {
      const height = entry?.borderBoxSize[0]?.blockSize ?? 0;
      style.setProperty("--below-messages", `${height + 8}px`);
    });
    observer.observe(panel.current);
    return () => {
      observer.disconnect();
      style.removeProperty("--below-messages");
    };
  }, [panel, isShown]);
}

/** Resumes the queue once the user has signed in again. */
function useResumeAfterSignIn(): void {
  const { dataUpdatedAt } = useSession();
  useEffect(() => {
    if (dataUpdatedAt > 0 && uploads.state().pause?.reason === "session") uploads.resume();
  }, [dataUpdatedAt]);
}
