import { Plus, X } from "lucide-react";
import { Button } from "../../../components/button.tsx";
import { Field } from "../../../components/fields/field.tsx";
import { Input } from "../../../components/fields/input.tsx";
import { IconButton } from "../../../components/icon-button.tsx";
import { addPair, METADATA_FIELDS, type MetadataDraft, type Pair } from "./metadata-draft.ts";

export interface MetadataFieldsProps {
  readonly draft: MetadataDraft;
  readonly isPrivate: boolean;
  readonly onChange: (draft: MetadataDraft) => void;
}

/** The headers that a file's metadata sets, as fields. */
export function MetadataFields({ draft, isPrivate, onChange }: MetadataFieldsProps) {
  const { fields, pairs } = draft;
  const setPair = (changed: Pair) =>
    onChange({ fields, pairs: pairs.map((pair) => (pair.id === changed.id ? changed : pair)) });
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        {METADATA_FIELDS.map(({ name, label, example }) => (
          <Field
            key={name}
            label={label}
            value={fields[name]}
            placeholder={`e.g. ${example}`}
            spellCheck={false}
            autoCapitalize="none"
            hint={
              isPrivate && name === "cacheControl"
                ? "Applies when the file is public: private files are never cached."
                : undefined
            }
            onChange={({ target }) =>
              onChange({ pairs, fields: { ...fields, [name]: target.value } })
            }
          />
        ))}
      </div>
      {pairs.map((pair) => (
        <div key={pair.id} className="flex items-center gap-2">
          <span className="flex-none text-muted text-sm max-sm:hidden">X-Meta-</span>
          <Input
            aria-label="Header name after X-Meta-"
            value={pair.name}
            placeholder="name"
            spellCheck={false}
            autoCapitalize="none"
            className="min-w-0 basis-2/5"
            onChange={({ target }) => setPair({ ...pair, name: target.value })}
          />
          <Input
            aria-label={`Value of X-Meta-${pair.name}`}
            value={pair.value}
            placeholder="value"
            spellCheck={false}
            className="min-w-0 basis-3/5"
            onChange={({ target }) => setPair({ ...pair, value: target.value })}
          />
          <IconButton
            label={`Remove X-Meta-${pair.name}`}
            Icon={X}
            onClick={() => onChange({ fields, pairs: pairs.filter(({ id }) => id !== pair.id) })}
          />
        </div>
      ))}
      <div>
        <Button size="sm" Icon={Plus} onClick={() => onChange(addPair(draft))}>
          Add X-Meta header
        </Button>
      </div>
    </>
  );
}
