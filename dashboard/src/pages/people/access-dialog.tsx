import { Trash2 } from "lucide-react";
import { useState } from "react";
import type { GrantAction, GrantObject } from "../../../../sdk/src/people.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialogs/dialog.tsx";
import { Select } from "../../components/fields/select.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { Notice } from "../../components/notice.tsx";
import { type ChosenFolder, FolderChoice } from "./folder-choice.tsx";
import { CUSTOM_GRANT, GRANT_PRESETS, grantText, presetOf } from "./grant-access.ts";
import { GrantAccessField } from "./grant-access-field.tsx";
import { FolderLink } from "./grant-summary.tsx";
import { people, usePeopleChange } from "./use-people.ts";

export interface AccessDialogProps {
  readonly grantee: { readonly accountId: string } | { readonly group: string };
  /** The address of the account, or the name of the group. */
  readonly name: string;
  readonly grants: readonly GrantObject[];
  readonly onClose: () => void;
}

/** Shows the grants of an account or a group. Each change counts at once. */
export function AccessDialog({ grantee, name, grants, onClose }: AccessDialogProps) {
  const [isAdding, setAdding] = useState(grants.length === 0);
  return (
    <Dialog
      title={
        <>
          Access of <bdi className="wrap-anywhere">{name}</bdi>
        </>
      }
      onClose={onClose}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      {grants.length > 0 && (
        <ul className="rounded-lg border border-line">
          {grants.map((grant) => (
            <GrantRow key={grant.id} grant={grant} />
          ))}
        </ul>
      )}
      {isAdding ? (
        <AddGrant
          grantee={grantee}
          taken={grants.map(({ folder }) => folder.id)}
          onDone={() => setAdding(false)}
        />
      ) : (
        <div>
          <Button onClick={() => setAdding(true)}>Add a folder…</Button>
        </div>
      )}
    </Dialog>
  );
}

function GrantRow({ grant }: { readonly grant: GrantObject }) {
  const { id, folder, actions } = grant;
  const name = folder.key === "" ? "all folders" : (folder.key ?? "a folder in the trash");
  const change = usePeopleChange((next: readonly GrantAction[]) => people.changeGrant(id, next));
  const remove = usePeopleChange(() => people.removeGrant(id));
  const [isCustom, setCustom] = useState(false);
  const [draft, setDraft] = useState<readonly GrantAction[]>(actions);
  const error = change.error ?? remove.error;
  const preset = presetOf(actions);
  const options = [
    ...GRANT_PRESETS.map(({ value, label }) => ({ value, label })),
    { value: CUSTOM_GRANT, label: preset ? "Custom…" : capitalized(grantText(actions)) },
    ...(preset ? [] : [{ value: "edit", label: "Change…" }]),
  ];
  return (
    <li className="flex flex-col gap-2 border-line border-t px-3 py-2.5 first:border-t-0">
      <div className="flex items-start justify-between gap-2">
        <p className="wrap-anywhere min-w-0 pt-1.5 font-medium text-sm">
          <FolderLink folder={folder} />
        </p>
        <IconButton
          label={`Remove access to ${name}`}
          Icon={Trash2}
          disabled={remove.isPending}
          onClick={() => remove.mutate(undefined)}
        />
      </div>
      {isCustom ? (
        <>
          <GrantAccessField actions={draft} onChange={setDraft} isCustom onCustom={setCustom} />
          <div className="flex gap-2">
            <Button
              size="sm"
              variant="primary"
              busy={change.isPending}
              disabled={draft.length === 0}
              onClick={() => change.mutate(draft, { onSuccess: () => setCustom(false) })}
            >
              Save
            </Button>
            <Button size="sm" variant="quiet" onClick={() => setCustom(false)}>
              Cancel
            </Button>
          </div>
        </>
      ) : (
        <Select
          aria-label={`Access to ${name}`}
          options={options}
          value={preset?.value ?? CUSTOM_GRANT}
          disabled={change.isPending}
          onChange={(value) => {
            const chosen = GRANT_PRESETS.find((each) => each.value === value);
            if (chosen !== undefined) return change.mutate(chosen.actions);
            setDraft(actions);
            setCustom(true);
          }}
        />
      )}
      {error && <Notice tone="bad">{error.message}</Notice>}
    </li>
  );
}

const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

interface AddGrantProps extends Pick<AccessDialogProps, "grantee"> {
  /** The ids of folders that have a grant. */
  readonly taken: readonly string[];
  readonly onDone: () => void;
}

function AddGrant({ grantee, taken, onDone }: AddGrantProps) {
  const [folder, setFolder] = useState<ChosenFolder>();
  const [actions, setActions] = useState<readonly GrantAction[]>(GRANT_PRESETS[0]?.actions ?? []);
  const [isCustom, setCustom] = useState(false);
  const [submitted, setSubmitted] = useState(false);
  const add = usePeopleChange(
    ({ id }: ChosenFolder) => people.grant({ ...grantee, folderId: id, actions }),
    onDone,
  );
  const isTaken = folder !== undefined && taken.includes(folder.id);
  const error = isTaken
    ? "This folder is in the list above."
    : submitted && folder === undefined
      ? "Choose a folder."
      : undefined;
  return (
    <div className="flex flex-col gap-4">
      <FolderChoice folder={folder} onChoose={setFolder} error={error} />
      <GrantAccessField
        actions={actions}
        onChange={setActions}
        isCustom={isCustom}
        onCustom={setCustom}
      />
      {add.error && <Notice tone="bad">{add.error.message}</Notice>}
      <div>
        <Button
          variant="primary"
          busy={add.isPending}
          onClick={() => {
            setSubmitted(true);
            if (folder !== undefined && !isTaken && actions.length > 0) add.mutate(folder);
          }}
        >
          Give access
        </Button>
      </div>
    </div>
  );
}
