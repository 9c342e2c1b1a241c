import { useRef, useState } from "react";
import type { GrantAction, GrantObject } from "../../../../sdk/src/people.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialogs/dialog.tsx";
import { Select } from "../../components/fields/select.tsx";
import { Notice } from "../../components/notice.tsx";
import { CUSTOM_GRANT, GRANT_PRESETS, grantLabel, presetOf } from "./grant-access.ts";
import { GrantAccessField } from "./grant-access-field.tsx";
import { GrantEditor, grantError, NEW_GRANT } from "./grant-editor.tsx";
import { GRANT_LIST_CLASS, GrantItem } from "./grant-item.tsx";
import { FolderLink } from "./grant-summary.tsx";
import { people, usePeopleChange } from "./use-people.ts";
import { useSuccessorFocus } from "./use-successor-focus.ts";

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
  const area = useRef<HTMLDivElement>(null);
  useSuccessorFocus(area);
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
      <div ref={area} className="flex flex-col gap-4">
        {grants.length > 0 && (
          <ul className={GRANT_LIST_CLASS}>
            {grants.map((grant) => (
              <GrantRow key={grant.id} grant={grant} />
            ))}
          </ul>
        )}
        <div data-row>
          {isAdding ? (
            <AddGrant
              grantee={grantee}
              taken={grants.map(({ folder }) => folder.id)}
              onDone={() => setAdding(false)}
            />
          ) : (
            <Button onClick={() => setAdding(true)}>Add a folder…</Button>
          )}
        </div>
      </div>
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
  const save = (next: readonly GrantAction[]) =>
    change.mutate(next, { onSuccess: () => setCustom(false) });
  const preset = presetOf(actions);
  const options = [
    ...GRANT_PRESETS.map(({ value, label }) => ({ value, label })),
    { value: CUSTOM_GRANT, label: preset ? "Custom…" : grantLabel(actions) },
    ...(preset ? [] : [{ value: "edit", label: "Change…" }]),
  ];
  return (
    <GrantItem
      folder={<FolderLink folder={folder} />}
      name={name}
      isBusy={remove.isPending}
      onRemove={() => remove.mutate(undefined)}
    >
      {isCustom ? (
        <>
          <GrantAccessField
            access={{ actions: draft, isCustom: true }}
            onChange={(access) =>
              access.isCustom ? setDraft(access.actions) : save(access.actions)
            }
          />
          <div className="flex gap-2">
            <Button
              size="sm"
              variant="primary"
              busy={change.isPending}
              disabled={draft.length === 0}
              onClick={() => save(draft)}
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
          aria-busy={change.isPending}
          onChange={(value) => {
            // A disabled field would lose the focus.
            if (change.isPending) return;
            const chosen = GRANT_PRESETS.find((each) => each.value === value);
            if (chosen !== undefined) return change.mutate(chosen.actions);
            setDraft(actions);
            setCustom(true);
          }}
        />
      )}
      {error && <Notice tone="bad">{error.message}</Notice>}
    </GrantItem>
  );
}

interface AddGrantProps extends Pick<AccessDialogProps, "grantee"> {
  /** The ids of folders that have a grant. */
  readonly taken: readonly string[];
  readonly onDone: () => void;
}

function AddGrant({ grantee, taken, onDone }: AddGrantProps) {
  const [draft, setDraft] = useState(NEW_GRANT);
  const [submitted, setSubmitted] = useState(false);
  const add = usePeopleChange(
    (folderId: string) => people.grant({ ...grantee, folderId, actions: draft.actions }),
    onDone,
  );
  const error = grantError(draft, taken);
  return (
    <div className="flex flex-col gap-4">
      <GrantEditor draft={draft} onChange={setDraft} taken={taken} isSubmitted={submitted} />
      {add.error && <Notice tone="bad">{add.error.message}</Notice>}
      <div>
        <Button
          variant="primary"
          busy={add.isPending}
          onClick={() => {
            setSubmitted(true);
            if (draft.folder !== undefined && error === undefined) add.mutate(draft.folder.id);
          }}
        >
          Give access
        </Button>
      </div>
    </div>
  );
}
