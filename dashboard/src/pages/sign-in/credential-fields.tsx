import { Field } from "../../components/fields/field.tsx";
import { PasswordField } from "../../components/fields/password-field.tsx";
import type { EnteredCredentials, PasswordKind } from "./validate-credentials.ts";

export interface CredentialFieldsProps {
  readonly kind: PasswordKind;
  readonly value: EnteredCredentials;
  readonly onChange: (value: EnteredCredentials) => void;
  /** Error messages of the fields; empty until the form was submitted. */
  readonly errors: Partial<EnteredCredentials>;
  readonly emailHint?: string;
}

/** The fields of an email address and a password, with the names by which password managers know them. */
export function CredentialFields(props: CredentialFieldsProps) {
  const { kind, value, onChange, errors, emailHint } = props;
  const isNew = kind === "new";
  return (
    <>
      <Field
        label="Email address"
        type="email"
        name="email"
        autoComplete={isNew ? "username" : "username webauthn"}
        hint={emailHint}
        autoFocus
        required
        value={value.email}
        error={errors.email}
        onChange={({ target }) => onChange({ ...value, email: target.value })}
      />
      <PasswordField
        label="Password"
        name="password"
        autoComplete={isNew ? "new-password" : "current-password"}
        hint={isNew ? "At least 8 characters. A few words work well." : undefined}
        required
        value={value.password}
        error={errors.password}
        onChange={({ target }) => onChange({ ...value, password: target.value })}
      />
    </>
  );
}

export const NO_CREDENTIALS: EnteredCredentials = { email: "", password: "" };
