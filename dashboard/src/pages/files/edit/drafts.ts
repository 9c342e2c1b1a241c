import { createLeaveGuard } from "../../../app/navigation/leave-guard.ts";

export interface Draft {
  readonly text: string;
  /** The ETag of the content that the edit began with. The stored content may have changed since. */
  readonly etag: string | undefined;
}

const guard = createLeaveGuard();
/* Outside the editor, so that Back loses nothing. */
const drafts = new Map<string, Draft>();

/** Unsaved edits of a file. */
export const readDraft = (id: string): Draft | undefined => drafts.get(id);

/** Keeps what is not saved, or, with undefined, forgets it. While there is one, the browser asks before it leaves. */
export function keepDraft(id: string, draft: Draft | undefined): void {
  if (draft === undefined) drafts.delete(id);
  else drafts.set(id, draft);
  guard(drafts.size > 0);
}
