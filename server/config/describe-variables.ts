import { allVariables } from "./variables.ts";

/** The table of all variables in Markdown, for docs/configuration.md. */
function describeVariables(): string {
  const rows = allVariables.map(({ name, isSetting, defaultText, meaning }) => {
    const variable = `\`${name}\`${isSetting === true ? " ⚙" : ""}`;
    return `| ${variable} | ${defaultText}${defaultText === "" ? "" : " "}| ${meaning} |`;
  });
  return ["| Variable | Default | Meaning |", "|---|---|---|", ...rows].join("\n");
}

const START = "<!-- configuration: generated -->";
const END = "<!-- /configuration -->";

/** The page with the table between its two markers replaced. Error: the markers are missing. */
export function withVariables(page: string): string {
  const [before, rest] = page.split(START);
  const [, after] = rest?.split(END) ?? [];
  if (before === undefined || after === undefined) throw new Error(`No ${START} … ${END}.`);
  return `${before}${START}\n\n${describeVariables()}\n\n${END}${after}`;
}
