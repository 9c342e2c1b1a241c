import { join } from "node:path";
import { compile, optimize } from "@tailwindcss/node";
import { Scanner } from "@tailwindcss/oxide";

/** Compiles the style sheet: the theme and every utility class used in the sources. */
export async function compileStyles(source: string): Promise<string> {
  const base = join(source, "theme");
  const compiler = await compile(await Bun.file(join(base, "theme.css")).text(), {
    base,
    onDependency: () => {},
  });
  const scanner = new Scanner({
    sources: [{ base: source, pattern: "**/*.{tsx,ts,html}", negated: false }],
  });
  return optimize(compiler.build(scanner.scan()), { minify: true }).code;
}
