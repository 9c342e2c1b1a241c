import type { ChosenFolder } from "../files/tree/folder-picker.tsx";
import { FolderChoice } from "./folder-choice.tsx";
import { GRANT_PRESETS } from "./grant-access.ts";
import { type GrantAccess, GrantAccessField } from "./grant-access-field.tsx";

/** A grant that is being made. */
export interface GrantDraft extends GrantAccess {
  readonly folder: ChosenFolder | undefined;
}

export const NEW_GRANT: GrantDraft = {
  folder: undefined,
  actions: GRANT_PRESETS[0]?.actions ?? [],
  isCustom: false,
};

/** Error message for a grant; undefined: the grant is valid. `taken`: ids of folders that already have a grant. */
export function grantError(
  { folder, actions }: GrantDraft,
  taken: readonly string[],
): string | undefined {
  if (folder === undefined) return "Choose a folder.";
  if (taken.includes(folder.id)) return "This folder is in the list above.";
  return actions.length === 0 ? "Choose at least one action." : undefined;
}

export interface GrantEditorProps {
  readonly draft: GrantDraft;
  readonly onChange: (draft: GrantDraft) => void;
  /** The ids of folders that have a grant. */
  readonly taken: readonly string[];
  /** Whether a missing folder is an error yet. */
  readonly isSubmitted: boolean;
}

/** Chooses a folder, and what is allowed in it. */
export function GrantEditor({ draft, onChange, taken, isSubmitted }: GrantEditorProps) {
  const { folder, actions } = draft;
  // The field of the actions says itself that none is chosen.
  const error = actions.length === 0 ? undefined : grantError(draft, taken);
  return (
    <>
      <FolderChoice
        folder={folder}
        onChoose={(chosen) => onChange({ ...draft, folder: chosen })}
        error={folder === undefined && !isSubmitted ? undefined : error}
      />
      <GrantAccessField access={draft} onChange={(access) => onChange({ ...draft, ...access })} />
    </>
  );
}
