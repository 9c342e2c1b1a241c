import { type ReactNode, useId } from "react";
import type { LinkObject } from "../../../sdk/src/holdall.ts";
import { Checkbox } from "../components/fields/checkbox.tsx";
import { ExpiryField } from "../components/fields/expiry-field.tsx";
import { Field } from "../components/fields/field.tsx";
import { PasswordField } from "../components/fields/password-field.tsx";
import { Select } from "../components/fields/select.tsx";
import { unitsOf } from "../text/amount.ts";
import type { ExpiryLimits } from "../text/expiry.ts";
import type { DraftErrors, LinkDraft } from "./link-draft.ts";

export interface LinkFieldsProps {
  readonly kind: LinkObject["kind"];
  /** The name of the shared file or folder. */
  readonly name: string;
  readonly limits: ExpiryLimits | undefined;
  readonly draft: LinkDraft;
  readonly errors: DraftErrors;
  readonly isNew: boolean;
  /** The link has a password already, which stays if none is typed. */
  readonly hasPassword?: boolean;
  readonly onChange: (draft: LinkDraft) => void;
}

/** The fields of a link: expiry, password, limits and title. */
export function LinkFields(props: LinkFieldsProps) {
  const { kind, name, limits, draft, errors, isNew, hasPassword, onChange } = props;
  const edit = (change: Partial<LinkDraft>) => onChange({ ...draft, ...change });
  return (
    <div className="grid items-start gap-x-4 gap-y-4 sm:grid-cols-2">
      <ExpiryField
        limits={limits}
        choice={draft.expiry}
        onChoose={(expiry) => edit({ expiry })}
        custom={draft.customExpiry}
        onCustom={(customExpiry) => edit({ customExpiry })}
      />
      <Field
        label={isNew ? "Maximum visits" : "Visits left"}
        placeholder="Unlimited"
        hint="A visitor who returns within 24 hours counts once."
        inputMode="numeric"
        autoComplete="off"
        value={draft.uses}
        error={errors.uses}
        onChange={({ target }) => edit({ uses: target.value })}
      />
      {kind === "drop" && (
        <>
          <Field
            label="Maximum files per upload"
            placeholder="Unlimited"
            inputMode="numeric"
            autoComplete="off"
            value={draft.maxFiles}
            error={errors.maxFiles}
            onChange={({ target }) => edit({ maxFiles: target.value })}
          />
          <SizeField draft={draft} error={errors.maxSize} edit={edit} />
        </>
      )}
      <Field
        label="Title"
        placeholder={name}
        hint="What visitors see."
        autoComplete="off"
        dir="auto"
        maxLength={200}
        value={draft.title}
        onChange={({ target }) => edit({ title: target.value })}
      />
      <div className="flex flex-col gap-3 sm:pt-7">
        <Option
          checked={draft.isProtected}
          onCheck={(isProtected) => edit({ isProtected })}
          text="Ask for a password"
        >
          {draft.isProtected && (
            <PasswordField
              label={hasPassword ? "New password" : "Password"}
              hint={hasPassword ? "Empty: it stays as it is." : undefined}
              autoComplete="new-password"
              maxLength={256}
              value={draft.password}
              error={errors.password}
              onChange={({ target }) => edit({ password: target.value })}
            />
          )}
        </Option>
        {kind === "read" && (
          <Option
            checked={draft.downloadOnly}
            onCheck={(downloadOnly) => edit({ downloadOnly })}
            text="Downloads only, without previews"
          />
        )}
      </div>
    </div>
  );
}

interface OptionProps {
  readonly text: string;
  readonly checked: boolean;
  readonly onCheck: (checked: boolean) => void;
  readonly children?: ReactNode;
}

const Option = ({ text, checked, onCheck, children }: OptionProps) => (
  <div className="flex flex-col gap-2">
    <label className="flex items-center gap-2.5 text-sm">
      <Checkbox checked={checked} onChange={({ target }) => onCheck(target.checked)} />
      {text}
    </label>
    {children}
  </div>
);

interface SizeFieldProps {
  readonly draft: LinkDraft;
  readonly error: string | undefined;
  readonly edit: (change: Partial<LinkDraft>) => void;
}

function SizeField({ draft: { maxSize }, error, edit }: SizeFieldProps) {
  const id = useId();
  return (
    <div className="flex items-start gap-2">
      <div className="min-w-0 flex-1">
        <Field
          label="Maximum size per upload"
          placeholder="Unlimited"
          inputMode="decimal"
          autoComplete="off"
          value={maxSize.text}
          error={error}
          onChange={({ target }) => edit({ maxSize: { ...maxSize, text: target.value } })}
        />
      </div>
      <label htmlFor={id} className="sr-only">
        Unit of the size
      </label>
      <Select
        id={id}
        className="mt-6.5 w-24"
        options={unitsOf("bytes", maxSize.factor).map(({ label, factor }) => ({
          value: String(factor),
          label,
        }))}
        value={String(maxSize.factor)}
        onChange={(factor) => edit({ maxSize: { ...maxSize, factor: Number(factor) } })}
      />
    </div>
  );
}
