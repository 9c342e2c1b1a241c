import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { LinkObject } from "../../../sdk/src/holdall.ts";
import { holdall } from "../app/client.ts";
import { Button } from "../components/button.tsx";
import { Dialog } from "../components/dialogs/dialog.tsx";
import { Notice } from "../components/notice.tsx";
import { showToast } from "../components/toast-store.ts";
import { linkName } from "./describe-link.ts";
import { changedOptions, draftOf, isValid, validateDraft } from "./link-draft.ts";
import { LinkFields } from "./link-fields.tsx";
import { linksKey } from "./links-key.ts";

export interface EditLinkDialogProps {
  readonly link: LinkObject;
  readonly onClose: () => void;
}

/** Changes a link. Its URL stays. */
export function EditLinkDialog({ link, onClose }: EditLinkDialogProps) {
  const client = useQueryClient();
  const [before] = useState(() => draftOf(link, new Date()));
  const [draft, setDraft] = useState(before);
  const [submitted, setSubmitted] = useState(false);
  const errors = validateDraft(draft, before, new Date());
  const changes = changedOptions(draft, before, link.kind, new Date());
  const isChanged = Object.keys(changes).length > 0;
  const save = useMutation({
    mutationFn: () => holdall.links.change(link.id, changes),
    onSuccess: async () => {
      onClose();
      showToast("Link saved.");
      await client.invalidateQueries({ queryKey: linksKey });
    },
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
      onSubmit={() => {
        setSubmitted(true);
        if (!isChanged) onClose();
        else if (isValid(errors) && !save.isPending) save.mutate();
      }}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={save.isPending} disabled={!isChanged}>
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
        draft={draft}
        errors={submitted ? errors : {}}
        isNew={false}
        hasPassword={link.hasPassword}
        onChange={(next) => {
          save.reset();
          setDraft(next);
        }}
      />
      {save.error && <Notice tone="bad">{save.error.message}</Notice>}
    </Dialog>
  );
}
