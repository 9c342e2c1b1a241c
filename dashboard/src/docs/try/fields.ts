import type { Input } from "./contract.ts";
import { element } from "./element.ts";

export type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

export function fieldOf({ choices, isFile, isList, isRequired, place }: Input): Field {
  if (choices !== undefined) {
    const options = (isList ? choices : ["", ...choices]).map((each) =>
      element("option", {}, each),
    );
    const size = isList ? String(Math.min(6, choices.length)) : undefined;
    return element("select", { required: isRequired, multiple: isList, size }, ...options);
  }
  if (isFile) return element("input", { type: "file", multiple: true, required: isRequired });
  // Without a value, the path would be another one.
  const required = isRequired || place === "path";
  const common = { required, spellcheck: "false", autocomplete: "off" };
  if (isList) return element("textarea", { ...common, rows: "2" });
  return element("input", { type: "text", ...common });
}

export const row = (input: Input, field: Field): HTMLElement =>
  element(
    "label",
    {},
    element("code", {}, input.name),
    ...notesOf(input).map((note) => element("span", {}, note)),
    field,
  );

function notesOf({ isRequired, place, isList, choices, isFile }: Input): readonly string[] {
  const isText = choices === undefined && !isFile;
  return [
    ...(isRequired || place === "path" ? ["required"] : []),
    ...(isList && isText ? ["one per line"] : []),
  ];
}

/** The values that the field has, each to be sent by itself. */
export function valuesOf({ isList }: Input, field: Field): readonly (string | File)[] {
  if (field.type === "file") return filesOf(field);
  if (field instanceof HTMLSelectElement) {
    return [...field.selectedOptions].map(({ value }) => value).filter((value) => value !== "");
  }
  const values = isList ? field.value.split("\n") : [field.value];
  return values.filter((value) => value !== "");
}

export const filesOf = (field: Field): readonly File[] =>
  field instanceof HTMLInputElement ? [...(field.files ?? [])] : [];
