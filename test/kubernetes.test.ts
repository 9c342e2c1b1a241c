import { afterAll, expect, test } from "bun:test";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { removeFolder, temporaryFolder } from "./harness.ts";

/*
 * The examples for Kubernetes, compiled as literals of the types of its OpenAPI document: unlike the JSON schemas in
 * it, these also refuse unknown fields.
 */

const ROOT = join(import.meta.dir, "..");
const folder = temporaryFolder();
symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
afterAll(() => removeFolder(folder));

/** The modules of the types, by `apiVersion`. */
const MODULES: Readonly<Record<string, string>> = {
  v1: "core/v1",
  "apps/v1": "apps/v1",
  "policy/v1": "policy/v1",
};

const objectSchema = z.looseObject({ apiVersion: z.string(), kind: z.string() });

/** The messages of the compiler about the objects of a YAML document; empty: they are valid. */
function compile(yaml: string): string {
  const objects = yaml.split(/^---$/m).map((text) => objectSchema.parse(Bun.YAML.parse(text)));
  const lines = objects.map((object, index) => {
    const { apiVersion, kind } = object;
    const type = `import("kubernetes-types/${MODULES[apiVersion]}").${kind}`;
    return `export const object${index}: ${type} = ${JSON.stringify(object, null, 1)};\n`;
  });
  const file = join(folder, "objects.ts");
  writeFileSync(file, lines.join(""));
  const tsc = join(ROOT, "node_modules/.bin/tsc");
  const options = ["--noEmit", "--strict", "--ignoreConfig", "--types", "", "--pretty", "false"];
  const { stdout } = Bun.spawnSync(["node", tsc, ...options, file], { cwd: folder });
  return stdout.toString();
}

const read = (name: string): string => readFileSync(join(ROOT, "deploy", name), "utf8");

test.each(["kubernetes.yaml", "kubernetes-full.yaml"])(
  "deploy/%s has the fields and types of Kubernetes' API",
  (name) => expect(compile(read(name))).toBe(""),
);

test.each([
  [
    "a misspelt field",
    "readOnlyRootFilesystem",
    "readOnlyRootFileSystem",
    '"readOnlyRootFileSystem"',
  ],
  ["a text in place of a number", "containerPort: 3000", 'containerPort: "3000"', "type 'number'"],
  ["a missing field", "              containerPort: 3000\n", "", "'containerPort' is missing"],
  ["another kind", "kind: Service", "kind: Servise", "'Servise'"],
])("%s is refused", (_, from, to, message) => {
  const text = read("kubernetes.yaml");
  const changed = text.replace(from, to);
  expect(changed).not.toBe(text);
  expect(compile(changed)).toContain(message);
});
