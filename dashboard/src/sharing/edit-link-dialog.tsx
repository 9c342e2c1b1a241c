import type { LinkObject } from "../../../sdk/src/holdall.ts";
import { Button } from "../components/button.tsx";
import { Dialog } from "../components/dialogs/dialog.tsx";
import { Notice } from "../components/notice.tsx";
import { showToast } from "../components/toast-store.ts";
import { displayName } from "../text/key-parts.ts";
import { linkName } from "./describe-link.ts";
import { LinkFields } from "./link-fields.tsx";
import { useEditLink } from "./use-edit-link.ts";

export interface EditLinkDialogProps {
  readonly link: LinkObject;
  readonly onClose: () => void;
}

/** Changes a link. Its URL stays. */
export function EditLinkDialog({ link, onClose }: EditLinkDialogProps) {
  const form = useEditLink(link, () => {
    onClose();
    showToast("Link saved.");
  });
  return (
    <Dialog
      wide
      title={
        <>
          Edit the link “<bdi className="break-all">{linkName(link)}</bdi>”
        </>
      }
      onClose={onClose}
      onSubmit={form.isChanged ? form.submit : onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={form.isPending} disabled={!form.isChanged}>
            Save
          </Button>
        </>
      }
    >
      <p className="text-muted">
        The URL stays the same. Changes apply at once
        {link.hasPassword && ", and a new password ends the visits and uploads that are running"}.
      </p>
      <LinkFields
        kind={link.kind}
        name={displayName(link.subject.key ?? "")}
        limits={form.limits}
        draft={form.draft}
        errors={form.errors}
        isNew={false}
        hasPassword={link.hasPassword}
        onChange={form.edit}
      />
      {form.error && <Notice tone="bad">{form.error.message}</Notice>}
    </Dialog>
  );
}
