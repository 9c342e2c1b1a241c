import { useState } from "react";
import type { GrantAction, Role } from "../../../../sdk/src/people.ts";
import { basePath } from "../../app/location.ts";
import { providerName } from "../../app/sign-in-methods.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialogs/dialog.tsx";
import { FormDialog } from "../../components/dialogs/form-dialog.tsx";
import { ChoiceList } from "../../components/fields/choice-list.tsx";
import { SelectField } from "../../components/fields/select-field.tsx";
import { CreatedUrl } from "../../sharing/created-url.tsx";
import { useCopyCreated } from "../../sharing/use-copy-created.ts";
import { formatFullTimestamp } from "../../text/timestamp.ts";
import { type ChosenFolder, FolderChoice } from "./folder-choice.tsx";
import { GRANT_PRESETS } from "./grant-access.ts";
import { GrantAccessField } from "./grant-access-field.tsx";
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
  const [folder, setFolder] = useState<ChosenFolder>();
  const [actions, setActions] = useState<readonly GrantAction[]>(GRANT_PRESETS[0]?.actions ?? []);
  const [isCustom, setCustom] = useState(false);
  const [lifetime, setLifetime] = useState(`${7 * DAY}`);
  const [submitted, setSubmitted] = useState(false);
  const [isCopied, copy] = useCopyCreated();
  const invite = usePeopleChange(() =>
    people.invite({
      role,
      ...(role === "member" && folder ? { grants: [{ folderId: folder.id, actions }] } : {}),
      expiresIn: Number(lifetime),
    }),
  );
  // Groups of the provider may give the folders.
  const needsFolder = role === "member" && providerName === undefined;
  const folderError = needsFolder && folder === undefined ? "Choose a folder." : undefined;
  const isValid = role === "owner" || (folderError === undefined && actions.length > 0);

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
        setSubmitted(true);
        if (isValid) copy(invite.mutateAsync(undefined).then(urlOf));
      }}
    >
      <ChoiceList legend="Role" value={role} onChange={setRole} choices={ROLES} />
      {role === "member" && (
        <>
          <FolderChoice
            folder={folder}
            onChoose={setFolder}
            error={submitted ? folderError : undefined}
          />
          <GrantAccessField
            actions={actions}
            onChange={setActions}
            isCustom={isCustom}
            onCustom={setCustom}
          />
        </>
      )}
      <SelectField
        label="The link works for"
        options={LIFETIMES}
        value={lifetime}
        onChange={setLifetime}
        hint={role === "member" ? "You can give access to more folders later." : undefined}
      />
    </FormDialog>
  );
}

const urlOf = ({ url }: { readonly url: string }): string => `${location.origin}${basePath}/${url}`;
