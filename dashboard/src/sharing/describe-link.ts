import { formatExactBytes } from "../../../contract/text/format-exact-bytes.ts";
import type { LinkObject } from "../../../sdk/src/holdall.ts";
import { formatCount } from "../text/format-count.ts";
import { displayName } from "../text/key-parts.ts";
import { formatTimestamp } from "../text/timestamp.ts";

export const KIND_LABELS: Record<LinkObject["kind"], string> = {
  read: "Link",
  drop: "Upload request",
};

export interface StateBadge {
  readonly tone: "plain" | "warn" | "bad";
  readonly text: string;
  readonly hint: string;
}

/** Why a link does not work; undefined for one that works. */
export function stateBadge({ state }: LinkObject): StateBadge | undefined {
  switch (state) {
    case "active":
      return undefined;
    case "expired":
      return { tone: "bad", text: "Expired", hint: "Its expiry date has passed." };
    case "used_up":
      return { tone: "bad", text: "Used up", hint: "It has reached its number of visits." };
    case "revoked":
      return { tone: "plain", text: "Revoked", hint: "It no longer works." };
    case "unavailable":
      return {
        tone: "warn",
        text: "Unavailable",
        hint: "What it shares was deleted, or its creator may no longer share it.",
      };
  }
}

/** The visits so far, and those left: "3 visits, 7 left". */
export function formatVisits({ visits, usesLeft }: LinkObject): string {
  const made = visits === 0 ? "No visits" : formatCount(visits, "visit");
  return usesLeft === null ? made : `${made}, ${usesLeft} left`;
}

/** The limits of one visitor: "At most 20 files, 5 GiB"; undefined without a limit. */
export function formatCaps({ maxFiles, maxBytes }: LinkObject): string | undefined {
  const caps = [
    maxFiles === null ? undefined : formatCount(maxFiles, "file"),
    maxBytes === null ? undefined : formatExactBytes(maxBytes),
  ].filter((cap) => cap !== undefined);
  return caps.length === 0 ? undefined : `At most ${caps.join(", ")}`;
}

/** The name of a link: its title, or the name of what it shares. */
export const linkName = ({ title, subject, kind }: LinkObject): string =>
  title ?? (subject.key === null ? subject.name || KIND_LABELS[kind] : displayName(subject.key));

/** Sums up the settings of a link in a few words. */
export function describeSettings(link: LinkObject): string {
  const parts = [
    link.expiresAt === null ? "no expiry" : `expires ${formatTimestamp(link.expiresAt)}`,
    link.hasPassword ? "password" : "no password",
  ];
  if (link.usesLeft !== null) parts.push(`${link.usesLeft} visits left`);
  const caps = formatCaps(link);
  if (caps !== undefined) parts.push(caps.replace("At", "at"));
  return parts.join(" · ");
}
