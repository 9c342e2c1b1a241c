import { type ExpiryLimits, expiryOf, expiryOptions, validateExpiry } from "../../text/expiry.ts";
import { formatTimeZone, toLocalInputValue } from "../../text/time-zone.ts";
import { formatFullTimestamp } from "../../text/timestamp.ts";
import { Field } from "./field.tsx";
import { SelectField } from "./select-field.tsx";

export interface ExpiryFieldProps {
  readonly limits?: ExpiryLimits | undefined;
  /** The value of one of `expiryOptions`. */
  readonly choice: string;
  readonly onChoose: (choice: string) => void;
  /** Date and time of the option "custom". */
  readonly custom: string;
  readonly onCustom: (time: string) => void;
}

/** When a key or link expires. */
export function ExpiryField({ limits, choice, onChoose, custom, onCustom }: ExpiryFieldProps) {
  const now = new Date();
  const error = validateExpiry(choice, custom, now);
  const expiry = expiryOf(choice, custom, now);
  return (
    <SelectField
      label="Expires"
      options={expiryOptions(limits)}
      value={choice}
      onChange={onChoose}
      hint={
        <>
          {choice === "never" && "Works until you revoke it."}
          {expiry &&
            error === undefined &&
            `Works until ${formatFullTimestamp(expiry.toISOString())}.`}
        </>
      }
    >
      {choice === "custom" && (
        <Field
          label="Date and time"
          hint={`In your time zone: ${formatTimeZone(expiry)}.`}
          type="datetime-local"
          min={toLocalInputValue(now)}
          value={custom}
          error={error}
          onChange={(event) => onCustom(event.target.value)}
        />
      )}
    </SelectField>
  );
}
