import {
  CircleX,
  FolderPen,
  FolderPlus,
  FolderX,
  KeyRound,
  Link2,
  Link2Off,
  LogIn,
  LogOut,
  type LucideIcon,
  Pencil,
  RotateCcw,
  Settings,
  Trash2,
  Upload,
  UserRoundPlus,
} from "lucide-react";
import type { ActivityObject } from "../../../../sdk/src/holdall.ts";
import { formatBytes } from "../../../../server/rules/format-bytes.ts";
import { Badge } from "../../components/badge.tsx";
import { formatCount } from "../../text/format-count.ts";
import { formatRefusal } from "../../text/format-refusal.ts";
import { formatFullTimestamp, parseTimestamp } from "../../text/timestamp.ts";
import type { Action } from "./filters.ts";
import { sentenceOf } from "./sentence.ts";
import type { Part } from "./sentence-parts.ts";
import { SubjectLink } from "./subject-link.tsx";

/** The icons of actions; other actions get a pencil. */
const ICONS: Partial<Record<Action, LucideIcon>> = {
  uploadFiles: Upload,
  deleteFiles: Trash2,
  signFile: Link2,
  createLink: Link2,
  changeLink: Link2,
  revokeLink: Link2Off,
  receiveFiles: Upload,
  restoreTrash: RotateCcw,
  emptyTrash: Trash2,
  restoreVersion: RotateCcw,
  deleteVersions: Trash2,
  createFolder: FolderPlus,
  changeFolder: FolderPen,
  deleteFolder: FolderX,
  createKey: KeyRound,
  renameKey: KeyRound,
  rotateKey: KeyRound,
  revokeKey: KeyRound,
  revealS3Credentials: KeyRound,
  setup: UserRoundPlus,
  signIn: LogIn,
  signInWithPasskey: LogIn,
  addPasskey: KeyRound,
  renamePasskey: KeyRound,
  removePasskey: KeyRound,
  signOut: LogOut,
  endSessions: LogOut,
  changeEmail: Settings,
  changePassword: Settings,
  enableSecondFactor: Settings,
  disableSecondFactor: Settings,
  renewRecoveryCodes: Settings,
  clearActivity: Trash2,
  resetPassword: Settings,
  changeSettings: Settings,
};

const timeOfDay = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });

export interface ActivityItemProps {
  readonly event: ActivityObject;
  readonly isDeleted: boolean;
  /** The id of the signed-in account. */
  readonly me: string | undefined;
}

/** One event of the activity log. A failed one has its own icon, a badge and the reason. */
export function ActivityItem({ event, isDeleted, me }: ActivityItemProps) {
  const failed = event.outcome === "failed";
  const Icon = failed ? CircleX : (ICONS[event.action] ?? Pencil);
  const { message, times } = event.detail;
  return (
    <div className="flex gap-3 py-2.5">
      <span
        className={`mt-0.5 grid size-7 flex-none place-items-center rounded-full ${failed ? "bg-bad-soft text-bad" : "bg-press text-muted"}`}
      >
        <Icon aria-hidden className="size-3.5" />
      </span>
      <div className="min-w-0 flex-1">
        <p className="break-words">
          {sentenceOf(event, me).map((part, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a sentence does not change.
            <PartText key={index} part={part} isDeleted={isDeleted} />
          ))}{" "}
          {failed && <Badge tone="bad">Failed</Badge>}{" "}
          {typeof times === "number" && <Badge>{formatCount(times, "time")}</Badge>}
        </p>
        {failed && typeof message === "string" && (
          <p className="break-words text-bad text-sm">
            {event.action === "changeSettings" ? formatRefusal(message) : message}
          </p>
        )}
        <p className="flex flex-wrap gap-x-3 text-muted text-sm">{detailsOf(event)}</p>
      </div>
      <time
        dateTime={parseTimestamp(event.at).toISOString()}
        title={formatFullTimestamp(event.at)}
        className="flex-none pt-0.5 text-muted text-sm tabular-nums"
      >
        {timeOfDay.format(parseTimestamp(event.at))}
      </time>
    </div>
  );
}

function PartText({ part, isDeleted }: { readonly part: Part; readonly isDeleted: boolean }) {
  if (typeof part === "string") return part;
  const { name, target } = part;
  // For a deleted file, only the folder that it was in may still exist.
  const isLink = target !== undefined && !(isDeleted && target.id !== null);
  if (isLink) return <SubjectLink name={name} target={target} />;
  return (
    <bdi className="break-words font-medium" title={isDeleted ? "No longer exists" : undefined}>
      {name}
    </bdi>
  );
}

/** Details below the sentence: size, expiry, client address. */
function detailsOf({ action, address, detail, outcome }: ActivityObject) {
  const details: string[] = [];
  if (typeof detail.bytes === "number" && outcome === "done")
    details.push(formatBytes(detail.bytes));
  if (typeof detail.expiresAt === "string") {
    details.push(`Expires ${formatFullTimestamp(detail.expiresAt)}`);
  }
  // The sentence of a sign-in already includes the address.
  if (address !== null && action !== "signIn") details.push(address);
  return details.map((detail) => <span key={detail}>{detail}</span>);
}
