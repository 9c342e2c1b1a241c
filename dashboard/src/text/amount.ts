import { BINARY_UNITS, DECIMAL_UNITS } from "../../../contract/text/format-exact-bytes.ts";
import type { NumberSettingObject } from "../../../sdk/src/holdall.ts";
import { TIME_UNITS } from "./format-duration.ts";

/** A number as typed, and the unit selected next to it. */
export interface Amount {
  readonly text: string;
  /** The selected unit, as a multiple of the setting's unit. */
  readonly factor: number;
}

export interface UnitChoice {
  readonly label: string;
  readonly factor: number;
}

type Unit = NonNullable<NumberSettingObject["unit"]>;

const CHOICES: Record<Unit, readonly UnitChoice[]> = {
  bytes: BINARY_UNITS.map(({ label, bytes }) => ({ label, factor: bytes })),
  seconds: TIME_UNITS.map(({ plural: many, seconds }) => ({ label: many, factor: seconds })),
  days: [{ label: "days", factor: 1 }],
  files: [{ label: "files", factor: 1 }],
  ids: [{ label: "files", factor: 1 }],
  pixels: [{ label: "pixels", factor: 1 }],
  percent: [{ label: "%", factor: 1 }],
};

/** Offered only for a value that has one: others are asked for in units of 1024. */
const DECIMAL_CHOICES = DECIMAL_UNITS.map(({ label, bytes }) => ({ label, factor: bytes }));

/** The units offered for a setting, largest first, with the selected one. */
export function unitsOf(unit: Unit, selected?: number): readonly UnitChoice[] {
  const own = DECIMAL_CHOICES.filter(({ factor }) => unit === "bytes" && factor === selected);
  return [...own, ...CHOICES[unit]];
}

/** Expresses a value in the largest unit that divides it. */
export function amountOf(value: number, unit: Unit): Amount {
  const all = unit === "bytes" ? [...CHOICES.bytes, ...DECIMAL_CHOICES] : [...CHOICES[unit]];
  const factor =
    all
      .toSorted((one, other) => other.factor - one.factor)
      .find((each) => value >= each.factor && value % each.factor === 0)?.factor ?? 1;
  return { text: String(value / factor), factor };
}

/** Parses the typed number into the setting's unit; undefined if it is invalid. */
export function amountValue({ text, factor }: Amount): number | undefined {
  const plain = text.trim().replace(",", ".");
  if (!/^\d+(\.\d+)?$/.test(plain)) return undefined;
  const value = Math.round(Number(plain) * factor);
  return Number.isSafeInteger(value) ? value : undefined;
}
