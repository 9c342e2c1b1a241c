import { useRef, useState } from "react";
import type { Role } from "../../../../sdk/src/people.ts";
import { basePath } from "../../app/navigation/location.ts";
import { providerName } from "../../app/session/sign-in-methods.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialogs/dialog.tsx";
import { FormDialog } from "../../components/dialogs/form-dialog.tsx";
import { ChoiceList } from "../../components/fields/choice-list.tsx";
import { SelectField } from "../../components/fields/select-field.tsx";
import { CreatedUrl } from "../../sharing/created-url.tsx";
import { useCopyCreated } from "../../sharing/use-copy-created.ts";
import { formatCount } from "../../text/format-count.ts";
import { formatFullTimestamp } from "../../text/timestamp.ts";
import { grantLabel } from "./grant-access.ts";
import { type GrantDraft, GrantEditor, grantError, NEW_GRANT } from "./grant-editor.tsx";
import { GRANT_LIST_CLASS, GrantItem } from "./grant-item.tsx";
import { people, usePeopleChange } from "./use-people.ts";

const ROLES = [
  { value: "member", label: "Member", hint: "Works in the folders that you give." },
  {
    value: "owner",
    label: "Owner",
    hint: "May do everything: all files, the settings, and people, you included.",
  },
] as const;

const DAY = 86_400;
const LIFETIMES = [
  { value: `${DAY}`, label: "1 day" },
  { value: `${7 * DAY}`, label: "7 days" },
  { value: `${30 * DAY}`, label: "30 days" },
];

/** Makes an invitation, and shows its link once. */
export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const [role, setRole] = useState<Role>("member");
  const [added, setAdded] = useState<readonly GrantDraft[]>([]);
  const [draft, setDraft] = useState(NEW_GRANT);
  const [lifetime, setLifetime] = useState(`${7 * DAY}`);
  const [submitted, setSubmitted] = useState(false);
  const addButton = useRef<HTMLButtonElement>(null);
  const [isCopied, copy] = useCopyCreated();
  const invite = usePeopleChange(() =>
    people.invite({
      role,
      ...(role === "member" ? { grants: [...added, draft].flatMap(toGrant) } : {}),
      expiresIn: Number(lifetime),
    }),
  );
  // Groups of the provider may give the folders.
  const needsFolder = providerName === undefined && added.length === 0;
  const taken = added.flatMap(toGrant).map(({ folderId }) => folderId);
  const isDraftValid = grantError(draft, taken) === undefined;
  const isValid = role === "owner" || isDraftValid || (draft.folder === undefined && !needsFolder);

  if (invite.data !== undefined) {
    return (
      <Dialog
        title="Send this link"
        isPersistent
        onClose={onClose}
        footer={<Button onClick={onClose}>Done</Button>}
      >
        <CreatedUrl label="Invitation" url={urlOf(invite.data)} isCopied={isCopied}>
          It works once, until {formatFullTimestamp(invite.data.invite.expiresAt)}.
        </CreatedUrl>
        <p className="text-muted text-sm">
          Send it yourself: whoever opens it first gets the account. You won't be able to see it
          again, and can withdraw it until it is used.
        </p>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title="Invite somebody"
      submitLabel="Create link"
      busy={invite.isPending}
      errorText={invite.error?.message}
      onClose={onClose}
      onSubmit={() => {
        setSubmitted(!isValid);
        if (isValid) copy(invite.mutateAsync(undefined).then(urlOf));
      }}
    >
      <ChoiceList legend="Role" value={role} onChange={setRole} choices={ROLES} />
      {role === "member" && (
        <>
          <AddedGrants
            grants={added}
            onRemove={(grant) => {
              setAdded(added.filter((each) => each !== grant));
              // The button that had the focus goes.
              addButton.current?.focus();
            }}
          />
          <GrantEditor draft={draft} onChange={setDraft} taken={taken} isSubmitted={submitted} />
          <div>
            <p role="status" className="sr-only">
              {added.length > 0 && `The invitation gives ${formatCount(added.length, "folder")}.`}
            </p>
            <Button
              ref={addButton}
              onClick={() => {
                setSubmitted(!isDraftValid);
                if (!isDraftValid) return;
                setAdded([...added, draft]);
                setDraft(NEW_GRANT);
              }}
            >
              Add another folder
            </Button>
          </div>
        </>
      )}
      <SelectField
        label="The link works for"
        options={LIFETIMES}
        value={lifetime}
        onChange={setLifetime}
        hint={role === "member" ? "You can change the access later." : undefined}
      />
    </FormDialog>
  );
}

interface AddedGrantsProps {
  readonly grants: readonly GrantDraft[];
  readonly onRemove: (grant: GrantDraft) => void;
}

/** The folders that an invitation gives already. */
function AddedGrants({ grants, onRemove }: AddedGrantsProps) {
  if (grants.length === 0) return null;
  return (
    <ul aria-label="Folders of the invitation" className={GRANT_LIST_CLASS}>
      {grants.map((grant) => {
        const name = grant.folder?.key || "all folders";
        return (
          <GrantItem
            key={grant.folder?.id}
            folder={
              <>
                <bdi>{grant.folder?.key || "All folders"}</bdi>
                <span className="block font-normal text-muted">{grantLabel(grant.actions)}</span>
              </>
            }
            name={name}
            onRemove={() => onRemove(grant)}
          />
        );
      })}
    </ul>
  );
}

const toGrant = ({ folder, actions }: GrantDraft) =>
  folder === undefined ? [] : [{ folderId: folder.id, actions }];

const urlOf = ({ url }: { readonly url: string }): string => `${location.origin}${basePath}/${url}`;
