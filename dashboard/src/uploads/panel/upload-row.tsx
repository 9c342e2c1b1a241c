import {
  CircleAlert,
  CircleCheck,
  CircleHelp,
  CirclePause,
  CircleSlash,
  Clock,
  History,
  Pause,
  Play,
  RotateCw,
  X,
} from "lucide-react";
import { memo } from "react";
import { Button } from "../../components/button.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import type { Item } from "../item.ts";
import { chooseFileAgain } from "../records/choose-again.ts";
import { uploads } from "../uploads.ts";
import { RowFrame, type RowPlace } from "./row-frame.tsx";
import { itemStatus } from "./status-text.ts";
import { StoredActions } from "./stored-actions.tsx";

export const STATE_ICONS = {
  sending: "busy",
  waiting: { Icon: Clock, color: "text-faint" },
  paused: { Icon: CirclePause, color: "text-muted" },
  interrupted: { Icon: History, color: "text-warn" },
  done: { Icon: CircleCheck, color: "text-good" },
  taken: { Icon: CircleHelp, color: "text-warn" },
  failed: { Icon: CircleAlert, color: "text-bad" },
  skipped: { Icon: CircleSlash, color: "text-faint" },
  cancelled: { Icon: CircleSlash, color: "text-faint" },
} as const;

export interface UploadRowProps extends RowPlace {
  readonly item: Item;
}

/** One file: its status and its actions. */
export const UploadRow = memo(function UploadRow({ item, ...place }: UploadRowProps) {
  const { name, state, size, sent } = item;
  const hasProgress =
    state === "sending" || ((state === "paused" || state === "waiting") && sent > 0);
  return (
    <RowFrame
      place={place}
      icon={STATE_ICONS[state]}
      name={name}
      status={itemStatus(item)}
      isBad={state === "failed"}
      progress={hasProgress && size > 0 ? sent / size : undefined}
    >
      <ItemActions item={item} />
    </RowFrame>
  );
});

function ItemActions({ item }: { readonly item: Item }) {
  const { id, name, state, handle } = item;
  const ids = new Set([id]);
  if (state === "interrupted") {
    const label = handle === undefined ? `Choose file ${name} again` : `Continue ${name}`;
    return (
      <>
        <Button size="sm" aria-label={label} onClick={() => void chooseFileAgain(item)}>
          {handle === undefined ? "Choose file" : "Continue"}
        </Button>
        <IconButton
          label={`Discard ${name}`}
          Icon={X}
          onClick={() => uploads.discard({ item: id })}
        />
      </>
    );
  }
  if (state === "done") return <StoredActions item={item} />;
  const canRetry = state === "failed" || state === "cancelled" || state === "skipped";
  return (
    <>
      {(state === "sending" || state === "waiting") && (
        <IconButton label={`Pause ${name}`} Icon={Pause} onClick={() => uploads.pause(ids)} />
      )}
      {state === "paused" && (
        <IconButton label={`Resume ${name}`} Icon={Play} onClick={() => uploads.resume(ids)} />
      )}
      {(state === "waiting" || state === "sending" || state === "taken" || state === "paused") && (
        <IconButton label={`Cancel ${name}`} Icon={X} onClick={() => uploads.cancel(ids)} />
      )}
      {canRetry && (
        <IconButton
          label={`Upload ${name} again`}
          Icon={RotateCw}
          onClick={() => uploads.retry(ids)}
        />
      )}
    </>
  );
}
