import { ChevronDown, ChevronUp, Pause, Play, RotateCw, X } from "lucide-react";
import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { useSession } from "../../app/session/session.ts";
import { Button } from "../../components/button.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { Progress } from "../../components/progress.tsx";
import { isActive } from "../group.ts";
import { type Summary, summaryOf } from "../summary.ts";
import { uploads } from "../uploads.ts";
import { ConflictPrompt } from "./conflict-prompt.tsx";
import { EndSelect } from "./end-select.tsx";
import { PauseNotice } from "./pause-notice.tsx";
import { formatProgress, queueTitle } from "./status-text.ts";
import { UploadList } from "./upload-list.tsx";
import { VisibilitySwitch } from "./visibility-switch.tsx";

/** The upload panel, shown on every page. */
export function UploadPanel() {
  const state = useSyncExternalStore(uploads.subscribe, uploads.state);
  const { items, groups, pause, isHidden } = state;
  const summary = useMemo(() => summaryOf(items, groups), [items, groups]);
  const [isOpen, setOpen] = useState(true);
  const isShown = items.length + groups.length > 0 && !isHidden;
  useResumeAfterSignIn();
  if (!isShown) return null;

  const { count, isRunning, taken, takenGroup, failures } = summary;
  const title = queueTitle(summary);
  const subject = taken ?? takenGroup;
  const undecided = count.taken + groups.filter((group) => group.state === "taken").length;
  return (
    <section
      aria-label="Uploads"
      className="flex animate-rise flex-col overflow-hidden rounded-lg bg-surface shadow-dialog"
    >
      <div role="status" aria-live="polite" className="sr-only">
        {isRunning ? "Uploading" : title}
      </div>
      <header className="flex items-center gap-1 py-1.5 pr-2 pl-4">
        <h2 className="min-w-0 flex-1 truncate font-semibold text-sm tabular-nums">{title}</h2>
        <PanelActions summary={summary} />
        <IconButton
          label={isOpen ? "Show less" : "Show all uploads"}
          Icon={isOpen ? ChevronDown : ChevronUp}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="aria-expanded:bg-transparent"
        />
        {isRunning || count.paused > 0 || subject !== undefined || groups.some(isActive) ? (
          <IconButton label="Cancel all" Icon={X} onClick={() => uploads.cancel("all")} />
        ) : (
          <IconButton label="Close" Icon={X} onClick={uploads.clear} />
        )}
      </header>
      <TotalProgress
        summary={summary}
        speed={state.speed}
        // The row of a single file has the same bar.
        hasBar={!isOpen || items.length + groups.length > 1}
      />
      {pause !== undefined && isRunning && <PauseNotice pause={pause} />}
      {isOpen && subject !== undefined && (
        <ConflictPrompt
          key={subject.id}
          subject={subject}
          count={undecided}
          isRunning={isRunning}
        />
      )}
      {isOpen && <UploadList state={state} />}
      {isOpen && <VisibilitySwitch state={state} />}
      {isOpen && <EndSelect state={state} />}
      {isOpen && failures > 1 && (
        <div className="flex justify-end border-line border-t px-3 py-2">
          <Button size="sm" Icon={RotateCw} onClick={() => uploads.retry("failed")}>
            Retry all {failures.toLocaleString()}
          </Button>
        </div>
      )}
    </section>
  );
}

/** Pauses and resumes everything. */
function PanelActions({ summary: { count, isRunning } }: { readonly summary: Summary }) {
  if (isRunning && count.waiting + count.sending > 0) {
    return <IconButton label="Pause all" Icon={Pause} onClick={() => uploads.pause("all")} />;
  }
  if (count.paused === 0) return null;
  return <IconButton label="Resume all" Icon={Play} onClick={() => uploads.resume("all")} />;
}

interface TotalProgressProps {
  readonly summary: Summary;
  readonly speed: number | undefined;
  readonly hasBar: boolean;
}

function TotalProgress({ summary, speed, hasBar }: TotalProgressProps) {
  const { isRunning, size, sent } = summary;
  if (!isRunning) return null;
  return (
    <div className="flex flex-col gap-1.5 px-4 pb-3">
      {hasBar && <Progress label="Total progress" value={size === 0 ? undefined : sent / size} />}
      <p className="truncate text-muted text-xs tabular-nums">
        {formatProgress(sent, size, speed)}
      </p>
    </div>
  );
}

/** Resumes the queue once the user has signed in again. */
function useResumeAfterSignIn(): void {
  const { dataUpdatedAt } = useSession();
  useEffect(() => {
    if (dataUpdatedAt > 0 && uploads.state().pause?.reason === "session") uploads.tryAgain();
  }, [dataUpdatedAt]);
}
