import { Field } from "./field.tsx";

export interface NameFieldProps {
  readonly hint: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (name: string) => void;
}

/** The name of something new, such as an API key. */
export const NameField = ({ hint, value, error, onChange }: NameFieldProps) => (
  <Field
    label="Name"
    hint={hint}
    autoComplete="off"
    maxLength={100}
    dir="auto"
    value={value}
    error={error}
    onChange={(event) => onChange(event.target.value)}
  />
);
