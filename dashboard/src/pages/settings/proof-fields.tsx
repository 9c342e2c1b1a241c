import { Field, type FieldProps } from "../../components/fields/field.tsx";
import { PasswordField } from "../../components/fields/password-field.tsx";

/* A change to how the account signs in asks for its password, and for a code with two-step sign-in. */

export type ProofFieldProps = Pick<FieldProps, "value" | "error" | "onChange">;

export function ProofPasswordField(props: ProofFieldProps) {
  return (
    <PasswordField label="Your password" autoComplete="current-password" required {...props} />
  );
}

export function ProofCodeField({
  hint = "From your authenticator app, or a recovery code.",
  ...props
}: ProofFieldProps & Pick<FieldProps, "hint">) {
  return (
    <Field
      label="Code"
      hint={hint}
      autoComplete="one-time-code"
      spellCheck={false}
      required
      {...props}
    />
  );
}
