import { useId } from "react";

export interface ChoiceListProps<Value extends string> {
  readonly legend: string;
  readonly isLegendHidden?: boolean;
  readonly value: Value | undefined;
  readonly onChange: (value: Value) => void;
  readonly choices: readonly {
    readonly value: Value;
    readonly label: string;
    readonly hint?: string | undefined;
  }[];
}

/** A radio group whose choices need a sentence each. */
export function ChoiceList<Value extends string>(props: ChoiceListProps<Value>) {
  const { legend, isLegendHidden = false, value, onChange, choices } = props;
  const name = useId();
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className={isLegendHidden ? "sr-only" : "mb-2 font-medium text-sm"}>{legend}</legend>
      {choices.map((choice) => (
        <label
          key={choice.value}
          className="flex cursor-pointer items-start gap-3 rounded-lg border border-edge p-3 transition-colors hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft"
        >
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={value === choice.value}
            onChange={() => onChange(choice.value)}
            className="mt-1 size-3.5 flex-none accent-accent"
          />
          <span>
            <span className="block font-medium">{choice.label}</span>
            {choice.hint && <span className="block text-muted text-sm">{choice.hint}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
