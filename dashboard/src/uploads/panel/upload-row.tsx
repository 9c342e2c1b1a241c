import {
  CircleAlert,
  CircleCheck,
  CircleHelp,
  CircleSlash,
  Clock,
  RotateCw,
  X,
} from "lucide-react";
import { memo } from "react";
import { IconButton } from "../../components/icon-button.tsx";
import { Progress } from "../../components/progress.tsx";
import { Spinner } from "../../components/spinner.tsx";
import { TruncatedName } from "../../components/truncated-name.tsx";
import type { Item, ItemState } from "../item.ts";
import { uploads } from "../uploads.ts";
import { itemStatus } from "./status-text.ts";

const ICONS = {
  waiting: { Icon: Clock, color: "text-faint" },
  done: { Icon: CircleCheck, color: "text-good" },
  taken: { Icon: CircleHelp, color: "text-warn" },
  failed: { Icon: CircleAlert, color: "text-bad" },
  skipped: { Icon: CircleSlash, color: "text-faint" },
  cancelled: { Icon: CircleSlash, color: "text-faint" },
};

export interface UploadRowProps {
  readonly item: Item;
  readonly index: number;
  readonly count: number;
  readonly top: number;
  readonly height: number;
}

/** One item: its status and its actions. */
export const UploadRow = memo(function UploadRow(props: UploadRowProps) {
  const { item, index, count, top, height } = props;
  const { id, name, state, size, sent } = item;
  const ids = new Set([id]);
  const canStop = state === "waiting" || state === "sending" || state === "taken";
  const canRetry = state === "failed" || state === "cancelled" || state === "skipped";
  return (
    <li
      aria-posinset={index + 1}
      aria-setsize={count}
      className="absolute inset-x-0 flex items-center gap-3 pr-2 pl-4"
      style={{ transform: `translateY(${top}px)`, height }}
    >
      <StateIcon state={state} />
      <div className="min-w-0 flex-1">
        <p className="min-w-0 text-sm">
          <TruncatedName name={name} />
        </p>
        {state === "sending" && size > 0 && (
          <div className="mt-1.5 mb-1 flex">
            <Progress label={`Progress of ${name}`} value={sent / size} />
          </div>
        )}
        <p
          className={`truncate text-xs tabular-nums ${state === "failed" ? "text-bad" : "text-muted"}`}
          title={itemStatus(item)}
        >
          {itemStatus(item)}
        </p>
      </div>
      {canStop && (
        <IconButton label={`Cancel ${name}`} Icon={X} onClick={() => uploads.cancel(ids)} />
      )}
      {canRetry && (
        <IconButton
          label={`Upload ${name} again`}
          Icon={RotateCw}
          onClick={() => uploads.retry(ids)}
        />
      )}
    </li>
  );
});

function StateIcon({ state }: { readonly state: ItemState }) {
  if (state === "sending") {
    return (
      <span className="flex-none text-accent">
        <Spinner />
      </span>
    );
  }
  const { Icon, color } = ICONS[state];
  return <Icon aria-hidden className={`size-4 flex-none ${color}`} />;
}
