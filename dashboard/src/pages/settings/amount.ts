import type { Setting } from "../../../../sdk/src/holdall.ts";
import { SPANS } from "../../text/duration.ts";
import { BINARY_UNITS } from "../../text/exact-bytes.ts";

/** A number as it is typed, and the unit that is chosen beside it. */
export interface Amount {
  readonly text: string;
  /** What the unit stands for, in the unit of the setting. */
  readonly factor: number;
}

export interface UnitChoice {
  readonly label: string;
  readonly factor: number;
}

type Unit = NonNullable<Setting<number>["unit"]>;

const CHOICES: Record<Unit, readonly UnitChoice[]> = {
  bytes: BINARY_UNITS.map(({ label, bytes }) => ({ label, factor: bytes })),
  seconds: SPANS.map(({ many, seconds }) => ({ label: many, factor: seconds })),
  days: [{ label: "days", factor: 1 }],
  files: [{ label: "files", factor: 1 }],
  ids: [{ label: "files", factor: 1 }],
};

/** The units in which a setting can be given, the largest first. */
export const unitsOf = (unit: Unit): readonly UnitChoice[] => CHOICES[unit];

/** A value in the largest unit of which it is a whole number. */
export function amountOf(value: number, unit: Unit): Amount {
  const factor =
    CHOICES[unit].find((each) => value >= each.factor && value % each.factor === 0)?.factor ?? 1;
  return { text: String(value / factor), factor };
}

/** What was typed, in the setting's unit; undefined when it is no number that can be meant. */
export function amountValue({ text, factor }: Amount): number | undefined {
  const plain = text.trim().replace(",", ".");
  if (!/^\d+(\.\d+)?$/.test(plain)) return undefined;
  const value = Math.round(Number(plain) * factor);
  return Number.isSafeInteger(value) ? value : undefined;
}
