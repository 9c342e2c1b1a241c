// Prints what CHANGELOG.md says about the version in package.json: `node scripts/release-notes.mjs`.
import { readFileSync } from "node:fs";

const read = (name) => readFileSync(new URL(`../${name}`, import.meta.url), "utf8");
const { version } = JSON.parse(read("package.json"));
const sections = read("CHANGELOG.md").split(/^## /m);
const section = sections.find(
  (each) => each.startsWith(`${version} `) || each.startsWith(`${version}\n`),
);
if (section === undefined) {
  console.error(`CHANGELOG.md has no heading for ${version}.`);
  process.exit(1);
}
console.log(section.slice(section.indexOf("\n")).trim());
