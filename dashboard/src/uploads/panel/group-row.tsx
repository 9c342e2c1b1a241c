import { Pause, Play, RotateCw, X } from "lucide-react";
import { Button } from "../../components/button.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { type Group, isActive } from "../group.ts";
import { chooseFolderAgain } from "../records/choose-again.ts";
import type { GroupTotals } from "../summary.ts";
import { uploads } from "../uploads.ts";
import { groupStatus, isPaused, needsDecision } from "./group-status.ts";
import { RowFrame, type RowIcon, type RowPlace } from "./row-frame.tsx";
import { StoredFolderActions } from "./stored-folder-actions.tsx";
import { STATE_ICONS } from "./upload-row.tsx";

export interface GroupRowProps extends RowPlace {
  readonly group: Group;
  readonly totals: GroupTotals | undefined;
  readonly speed: number | undefined;
}

/** One folder with all its files: its progress and its actions. */
export function GroupRow({ group, totals, speed, ...place }: GroupRowProps) {
  if (totals === undefined) return null;
  const { size, sent } = totals;
  const hasProgress = group.state === "sending" && !needsDecision(group, totals);
  return (
    <RowFrame
      place={place}
      icon={iconOf(group, totals)}
      name={group.name}
      status={groupStatus(group, totals, speed)}
      isBad={group.state === "failed" || needsDecision(group, totals)}
      progress={hasProgress && size > 0 ? sent / size : undefined}
    >
      <GroupActions group={group} totals={totals} />
    </RowFrame>
  );
}

function iconOf(group: Group, totals: GroupTotals): RowIcon | "busy" {
  const { state } = group;
  if (isPaused(group, totals)) return STATE_ICONS.paused;
  if (needsDecision(group, totals)) return STATE_ICONS.failed;
  if (state === "done" || state === "failed" || state === "cancelled") return STATE_ICONS[state];
  if (state === "interrupted" || state === "taken") return STATE_ICONS[state];
  return "busy";
}

interface GroupActionsProps {
  readonly group: Group;
  readonly totals: GroupTotals;
}

function GroupActions({ group, totals }: GroupActionsProps) {
  const { id, name, state, handle } = group;
  const ids = (): Set<number> => new Set(uploads.work.itemsOf(id).map((item) => item.id));
  if (state === "interrupted") {
    const label = handle === undefined ? `Choose folder ${name} again` : `Continue ${name}`;
    return (
      <>
        <Button size="sm" aria-label={label} onClick={() => void chooseFolderAgain(group)}>
          {handle === undefined ? "Choose folder" : "Continue"}
        </Button>
        <IconButton
          label={`Discard ${name}`}
          Icon={X}
          onClick={() => uploads.discard({ group: id })}
        />
      </>
    );
  }
  if (state === "done") {
    return <StoredFolderActions group={group} />;
  }
  const isUndecided = needsDecision(group, totals);
  const canRetry = isUndecided || state === "failed" || state === "cancelled";
  return (
    <>
      {isUndecided && (
        <Button
          size="sm"
          aria-label={`Leave out the failed files of ${name}`}
          onClick={() => uploads.leaveOutFailed(id)}
        >
          Leave out
        </Button>
      )}
      {canRetry && (
        <IconButton
          label={`Upload ${name} again`}
          Icon={RotateCw}
          onClick={() => uploads.retryGroup(id)}
        />
      )}
      {(state === "sending" || state === "opening") && totals.open > 0 && (
        <IconButton label={`Pause ${name}`} Icon={Pause} onClick={() => uploads.pause(ids())} />
      )}
      {isPaused(group, totals) && (
        <IconButton label={`Resume ${name}`} Icon={Play} onClick={() => uploads.resume(ids())} />
      )}
      {isActive(group) && state !== "committing" && (
        <IconButton label={`Cancel ${name}`} Icon={X} onClick={() => uploads.cancelGroup(id)} />
      )}
    </>
  );
}
