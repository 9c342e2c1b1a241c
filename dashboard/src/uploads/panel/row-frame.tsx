import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Progress } from "../../components/progress.tsx";
import { Spinner } from "../../components/spinner.tsx";
import { TruncatedName } from "../../components/truncated-name.tsx";

export const ROW = 60;
/** With a status of several lines. */
export const TALL_ROW = 84;

/** The place of a row in the virtualized list. */
export interface RowPlace {
  readonly index: number;
  readonly count: number;
  readonly top: number;
  readonly height: number;
}

export interface RowFrameProps {
  readonly place: RowPlace;
  readonly icon: RowIcon | "busy";
  readonly name: string;
  readonly status: string;
  readonly isBad: boolean;
  /** From 0 to 1; undefined: shows no progress. */
  readonly progress: number | undefined;
  /** The actions. */
  readonly children: ReactNode;
}

export interface RowIcon {
  readonly Icon: LucideIcon;
  readonly color: string;
}

/** A row of the panel: its status and its actions. */
export function RowFrame(props: RowFrameProps) {
  const { place, icon, name, status, isBad, progress, children } = props;
  const { index, count, top, height } = place;
  return (
    <li
      aria-posinset={index + 1}
      aria-setsize={count}
      className="absolute inset-x-0 flex items-center gap-3 pr-2 pl-4 transition-transform duration-150 ease-out"
      style={{ transform: `translateY(${top}px)`, height }}
    >
      <StateIcon icon={icon} />
      <div className="min-w-0 flex-1">
        <p className="min-w-0 text-sm">
          <TruncatedName name={name} />
        </p>
        {progress !== undefined && (
          <div className="mt-1.5 mb-1 flex">
            <Progress label={`Progress of ${name}`} value={progress} />
          </div>
        )}
        <p
          className={`break-words text-xs tabular-nums ${clampOf(height, progress !== undefined)} ${isBad ? "text-bad" : "text-muted"}`}
          title={status}
        >
          {status}
        </p>
      </div>
      <div className="flex flex-none items-center">{children}</div>
    </li>
  );
}

/** Shows as many lines as the row has room for. */
function clampOf(height: number, hasProgress: boolean): string {
  if (height < TALL_ROW) return "line-clamp-1";
  return hasProgress ? "line-clamp-2" : "line-clamp-3";
}

function StateIcon({ icon }: { readonly icon: RowIcon | "busy" }) {
  if (icon === "busy") {
    return (
      <span className="flex-none text-accent">
        <Spinner />
      </span>
    );
  }
  const { Icon, color } = icon;
  return <Icon aria-hidden className={`size-4 flex-none animate-rise ${color}`} />;
}
