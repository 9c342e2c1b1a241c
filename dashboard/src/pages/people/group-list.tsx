import { Plus } from "lucide-react";
import { useState } from "react";
import type { GrantObject } from "../../../../sdk/src/people.ts";
import { providerName } from "../../app/session/sign-in-methods.ts";
import { Button } from "../../components/button.tsx";
import { FormDialog } from "../../components/dialogs/form-dialog.tsx";
import { Field } from "../../components/fields/field.tsx";
import { Panel } from "../../components/panel.tsx";
import { AccessDialog } from "./access-dialog.tsx";
import { GrantSummary } from "./grant-summary.tsx";

/** Shows the grants of the provider's groups, whose members have them from their next sign-in on. */
export function GroupList({ grants }: { readonly grants: readonly GrantObject[] }) {
  const [isNaming, setNaming] = useState(false);
  const [opened, setOpened] = useState<string>();
  const groups = Map.groupBy(grants, ({ group }) => group);
  groups.delete(null);
  return (
    <Panel
      title="Groups"
      aside={
        <Button size="sm" Icon={Plus} onClick={() => setNaming(true)}>
          Add a group…
        </Button>
      }
    >
      <p className="text-muted text-sm">
        Who is in a group at {providerName ?? "the provider"} may do what the group may, from their
        next sign-in there.
      </p>
      {groups.size > 0 && (
        <ul className="rounded-lg border border-line">
          {[...groups].map(([group, own]) => (
            <li
              key={group}
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line border-t px-4 py-3 first:border-t-0"
            >
              <div className="flex min-w-0 flex-1 basis-64 flex-col gap-1">
                <bdi className="wrap-anywhere font-medium">{group}</bdi>
                <GrantSummary grants={own} hasGroups={false} />
              </div>
              <Button
                size="sm"
                aria-label={`Access of the group ${group}`}
                onClick={() => setOpened(group ?? undefined)}
              >
                Access…
              </Button>
            </li>
          ))}
        </ul>
      )}
      {isNaming && (
        <GroupDialog
          onClose={() => setNaming(false)}
          onNamed={(group) => {
            setNaming(false);
            setOpened(group);
          }}
        />
      )}
      {opened !== undefined && (
        <AccessDialog
          grantee={{ group: opened }}
          name={opened}
          grants={groups.get(opened) ?? []}
          onClose={() => setOpened(undefined)}
        />
      )}
    </Panel>
  );
}

interface GroupDialogProps {
  readonly onClose: () => void;
  readonly onNamed: (group: string) => void;
}

function GroupDialog({ onClose, onNamed }: GroupDialogProps) {
  const [group, setGroup] = useState("");
  const [submitted, setSubmitted] = useState(false);
  const name = group.trim();
  return (
    <FormDialog
      title="Add a group"
      submitLabel="Choose folders"
      busy={false}
      errorText={undefined}
      onClose={onClose}
      onSubmit={() => {
        setSubmitted(true);
        if (name !== "") onNamed(name);
      }}
    >
      <Field
        label="Group"
        hint="Exactly as the provider writes it, such as “design”."
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={group}
        error={submitted && name === "" ? "Enter the name of the group." : undefined}
        onChange={(event) => setGroup(event.target.value)}
      />
    </FormDialog>
  );
}
