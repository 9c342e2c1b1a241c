import type { Command } from "./command.ts";

const INDENT = 39;
const WIDTH = 100;

/** The text of `holdall help`. `about`: what the program is. */
export function helpText(
  commands: ReadonlyMap<string, Command>,
  version: string,
  about: string,
): string {
  const usage = [...commands.values()].flatMap((command) => Object.entries(command.usage ?? {}));
  const lines = usage.flatMap(([form, meaning]) => usageLines(`  holdall ${form}`, meaning));
  return `Holdall ${version}: ${about}.\n\n${lines.join("\n")}\n  holdall help | version\n`;
}

/** In two columns; a form that does not fit into the first one gets a line of its own. */
function usageLines(form: string, meaning: string): string[] {
  const [first = "", ...more] = wrap(meaning);
  const indent = " ".repeat(INDENT);
  const rest = more.map((line) => `${indent}${line}`);
  if (form.length < INDENT) return [`${form.padEnd(INDENT)}${first}`, ...rest];
  return [form, `${indent}${first}`, ...rest];
}

function wrap(text: string): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && INDENT + line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
