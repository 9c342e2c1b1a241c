import {
  CircleX,
  Download,
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
  Webhook,
} from "lucide-react";
import { Fragment, type ReactNode } from "react";
import { formatBytes } from "../../../../contract/text/format-bytes.ts";
import type { ActivityObject } from "../../../../sdk/src/holdall.ts";
import { Badge } from "../../components/badge.tsx";
import { formatCount } from "../../text/format-count.ts";
import { formatRefusal } from "../../text/format-refusal.ts";
import {
  formatExpiry,
  formatFullTimestamp,
  formatTimeOfDay,
  parseTimestamp,
} from "../../text/timestamp.ts";
import type { ActivityEntry } from "./activity-rows.ts";
import type { Action } from "./filters.ts";
import { sentenceOf } from "./sentence.ts";
import type { Part } from "./sentence-parts.ts";
import { SubjectLink } from "./subject-link.tsx";

/** Wider than a space; at the end of a line, nothing. After a space, it would begin a line. */
const EN_SPACE = "\u2002";

/** The icons of actions; other actions get a pencil. */
const ICONS: Partial<Record<Action, LucideIcon>> = {
  uploadFiles: Upload,
  putContent: Upload,
  deleteFiles: Trash2,
  signFile: Link2,
  signFolder: Link2,
  createLink: Link2,
  changeLink: Link2,
  revokeLink: Link2Off,
  receiveFiles: Upload,
  download: Download,
  restoreTrash: RotateCcw,
  undoChanges: RotateCcw,
  emptyTrash: Trash2,
  restoreVersion: RotateCcw,
  deleteVersions: Trash2,
  createFolder: FolderPlus,
  setQuota: FolderPen,
  changeFolder: FolderPen,
  deleteFolder: FolderX,
  createKey: KeyRound,
  renameKey: KeyRound,
  rotateKey: KeyRound,
  revokeKey: KeyRound,
  revealS3Credentials: KeyRound,
  createWebhook: Webhook,
  changeWebhook: Webhook,
  rotateWebhook: Webhook,
  replayWebhook: Webhook,
  deleteWebhook: Webhook,
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
  putLogo: Settings,
  removeLogo: Settings,
};

export interface ActivityItemProps extends ActivityEntry {
  /** The id of the signed-in account. */
  readonly me: string | undefined;
  /** After the sentence. */
  readonly button?: ReactNode;
}

/** One event of the activity log. A failed one has its own icon, a badge and the reason. */
export function ActivityItem({ event, isDeleted, me, button }: ActivityItemProps) {
  const failed = event.outcome === "failed";
  const Icon = failed ? CircleX : (ICONS[event.action] ?? Pencil);
  const { message, times } = event.detail;
  const deletedId = event.subject?.id ?? null;
  return (
    <div className="-mx-2 flex gap-2.5 rounded-md px-2 py-1.75 hover:bg-hover">
      <Icon
        aria-hidden
        className={`mt-0.75 size-4 flex-none ${failed ? "text-bad" : "text-faint"}`}
      />
      <div className="min-w-0 flex-1">
        <p className="break-words">
          {sentenceOf(event, me).map((part, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a sentence does not change.
            <PartText key={index} part={part} deletedId={isDeleted ? deletedId : undefined} />
          ))}
          {failed && (
            <>
              {" "}
              <Badge tone="bad">Failed</Badge>
            </>
          )}
          {typeof times === "number" && (
            <>
              {" "}
              <Badge>{formatCount(times, "time")}</Badge>
            </>
          )}
          {detailsOf(event).map((detail) => (
            <Fragment key={detail}>
              {EN_SPACE}
              <span className="inline-block text-muted text-xs tabular-nums">{detail}</span>
            </Fragment>
          ))}
          {button !== undefined && (
            <>
              {EN_SPACE}
              {button}
            </>
          )}
        </p>
        {failed && typeof message === "string" && (
          <p className="break-words text-bad text-sm">
            {event.action === "changeSettings" ? formatRefusal(message) : message}
          </p>
        )}
      </div>
      <time
        dateTime={parseTimestamp(event.at).toISOString()}
        title={formatFullTimestamp(event.at)}
        className="flex-none pt-px text-muted text-sm tabular-nums"
      >
        {formatTimeOfDay(parseTimestamp(event.at))}
      </time>
    </div>
  );
}

interface PartTextProps {
  readonly part: Part;
  /** The id of the subject, if it was deleted; undefined: it exists. */
  readonly deletedId: string | null | undefined;
}

function PartText({ part, deletedId }: PartTextProps) {
  if (typeof part === "string") return part;
  const { name, target } = part;
  // The folders that a deleted file was in, or was moved to, may still exist.
  const isGone =
    deletedId !== undefined &&
    (target === undefined || (target.id !== null && target.id === deletedId));
  if (target !== undefined && !isGone) return <SubjectLink name={name} target={target} />;
  return (
    <bdi className="break-words font-medium" title={isGone ? "No longer exists" : undefined}>
      {name}
    </bdi>
  );
}

/** Details after the sentence: size, expiry, client address. */
function detailsOf({ action, address, detail, outcome }: ActivityObject): string[] {
  const details: string[] = [];
  if (typeof detail.bytes === "number" && outcome === "done")
    details.push(formatBytes(detail.bytes));
  if (typeof detail.expiresAt === "string") {
    details.push(formatExpiry(detail.expiresAt));
  }
  // The sentence of a sign-in already includes the address.
  if (address !== null && action !== "signIn") details.push(address);
  return details;
}
