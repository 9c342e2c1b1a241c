import type { LinkObject, LinkOptions } from "../../../sdk/src/holdall.ts";
import { type Amount, amountOf, amountValue } from "../text/amount.ts";
import { expiryOf, validateExpiry } from "../text/expiry.ts";
import { toLocalInputValue } from "../text/time-zone.ts";
import { parseTimestamp } from "../text/timestamp.ts";

/** The form of a link, as typed. Empty fields mean "none" or "any number". */
export interface LinkDraft {
  readonly title: string;
  /** The value of one of `expiryOptions`. */
  readonly expiry: string;
  readonly customExpiry: string;
  readonly isProtected: boolean;
  /** Empty for a link that keeps its password. */
  readonly password: string;
  readonly uses: string;
  readonly downloadOnly: boolean;
  readonly maxFiles: string;
  readonly maxSize: Amount;
}

export type DraftErrors = { readonly [Field in keyof LinkDraft]?: string | undefined };

const WEEK_MS = 7 * 86_400_000;
const DAY_SECONDS = 86_400;
const MEBIBYTE = 1024 ** 2;

/** The form of a new link. `days`: its lifetime; 0: the link never expires. */
export const newDraft = (now: Date, days = 0): LinkDraft => ({
  title: "",
  expiry: days === 0 ? "never" : String(days * DAY_SECONDS),
  customExpiry: toLocalInputValue(new Date(now.getTime() + WEEK_MS)),
  isProtected: false,
  password: "",
  uses: "",
  downloadOnly: false,
  maxFiles: "",
  maxSize: { text: "", factor: MEBIBYTE },
});

/** The form of an existing link. */
export function draftOf(link: LinkObject, now: Date): LinkDraft {
  const { expiresAt } = link;
  return {
    ...newDraft(now),
    title: link.title ?? "",
    expiry: expiresAt === null ? "never" : "custom",
    ...(expiresAt !== null && { customExpiry: toLocalInputValue(parseTimestamp(expiresAt)) }),
    isProtected: link.hasPassword,
    uses: link.usesLeft === null ? "" : String(link.usesLeft),
    downloadOnly: link.downloadOnly,
    maxFiles: link.maxFiles === null ? "" : String(link.maxFiles),
    ...(link.maxBytes !== null && { maxSize: amountOf(link.maxBytes, "bytes") }),
  };
}

/** The errors of the form. `before` is the form as it was opened: fields that stay are not checked. */
export function validateDraft(draft: LinkDraft, before: LinkDraft, now: Date): DraftErrors {
  const isNew = draft.isProtected && !before.isProtected;
  const size = amountValue(draft.maxSize);
  return {
    customExpiry: isSameExpiry(draft, before)
      ? undefined
      : validateExpiry(draft.expiry, draft.customExpiry, now),
    password: isNew && draft.password === "" ? "Enter a password." : undefined,
    uses: draft.uses === before.uses ? undefined : validateCount(draft.uses),
    maxFiles: validateCount(draft.maxFiles),
    maxSize:
      draft.maxSize.text.trim() === "" || (size !== undefined && size > 0)
        ? undefined
        : "Enter a number, such as 12 or 1.5, or leave it empty.",
  };
}

export const isValid = (errors: DraftErrors): boolean =>
  Object.values(errors).every((error) => error === undefined);

/** The options of a new link, without those that have their default. */
export function newOptions(draft: LinkDraft, kind: LinkObject["kind"], now: Date): LinkOptions {
  return withoutNulls(changedOptions(draft, newDraft(now), kind, now));
}

/** The changes of the form; null removes a value. */
export function changedOptions(
  draft: LinkDraft,
  before: LinkDraft,
  kind: LinkObject["kind"],
  now: Date,
): LinkOptions {
  const options: LinkOptions = {};
  const title = draft.title.trim();
  if (title !== before.title) options.title = title === "" ? null : title;
  if (!isSameExpiry(draft, before)) {
    const expiry = expiryOf(draft.expiry, draft.customExpiry, now);
    // The server counts a lifetime by its own clock: by one that is ahead, the longest would be too long.
    if (expiry !== undefined && draft.expiry !== "custom") options.expiresIn = Number(draft.expiry);
    else options.expiresAt = expiry?.toISOString() ?? null;
  }
  if (draft.isProtected && draft.password !== "") options.password = draft.password;
  if (!draft.isProtected && before.isProtected) options.password = null;
  if (draft.uses !== before.uses) options.uses = countOf(draft.uses);
  if (kind === "read") {
    if (draft.downloadOnly !== before.downloadOnly) options.downloadOnly = draft.downloadOnly;
    return options;
  }
  if (draft.maxFiles !== before.maxFiles) options.maxFiles = countOf(draft.maxFiles);
  const [size, sizeBefore] = [amountValue(draft.maxSize), amountValue(before.maxSize)];
  if (size !== sizeBefore) options.maxBytes = size ?? null;
  return options;
}

const isSameExpiry = (draft: LinkDraft, before: LinkDraft): boolean =>
  draft.expiry === before.expiry &&
  (draft.expiry !== "custom" || draft.customExpiry === before.customExpiry);

const countOf = (text: string): number | null => (text.trim() === "" ? null : Number(text));

function validateCount(text: string): string | undefined {
  const isCount = text.trim() === "" || (/^\s*\d{1,9}\s*$/.test(text) && Number(text) > 0);
  return isCount ? undefined : "Enter a whole number of at least 1, or leave it empty.";
}

const withoutNulls = (options: LinkOptions): LinkOptions =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null));
