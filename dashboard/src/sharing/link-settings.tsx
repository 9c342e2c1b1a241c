import type { LinkObject } from "../../../sdk/src/holdall.ts";
import { Button } from "../components/button.tsx";
import { Notice } from "../components/notice.tsx";
import { LinkFields } from "./link-fields.tsx";
import { useEditLink } from "./use-edit-link.ts";

export interface LinkSettingsProps {
  readonly link: LinkObject;
  /** The name of the shared file or folder. */
  readonly name: string;
  readonly onSaved: (link: LinkObject) => void;
  readonly onRevoke: () => void;
}

/** The settings of the link in the Share dialog, with a button of their own. */
export function LinkSettings({ link, name, onSaved, onRevoke }: LinkSettingsProps) {
  const form = useEditLink(link, onSaved);
  return (
    <div className="flex flex-col gap-4 pt-3">
      <LinkFields
        kind={link.kind}
        name={name}
        limits={form.limits}
        draft={form.draft}
        errors={form.errors}
        isNew={link.visits === 0}
        hasPassword={link.hasPassword}
        onChange={form.edit}
      />
      {form.error && <Notice tone="bad">{form.error.message}</Notice>}
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          size="sm"
          busy={form.isPending}
          disabled={!form.isChanged}
          onClick={form.submit}
        >
          Save settings
        </Button>
        <Button size="sm" variant="quiet" className="text-bad!" onClick={onRevoke}>
          Revoke link…
        </Button>
      </div>
    </div>
  );
}
