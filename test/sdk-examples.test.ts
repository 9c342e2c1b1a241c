import { afterAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Operation } from "../contract/operation.ts";
import { operations } from "../contract/operations.ts";
import { removeFolder, temporaryFolder } from "./harness.ts";

const ROOT = join(import.meta.dir, "..");
const folder = temporaryFolder();
afterAll(() => removeFolder(folder));

/** What the examples use without making it. */
const GIVEN = `import type { FileObject, FolderObject, Holdall } from ${JSON.stringify(join(ROOT, "sdk/src/holdall.ts"))};
import type { Webhooks } from ${JSON.stringify(join(ROOT, "sdk/src/webhooks-only.ts"))};
export declare const holdall: Holdall;
export declare const file: FileObject;
export declare const folder: FolderObject;
export declare const parent: FolderObject;
export declare const ids: string[];
export declare const folderIds: string[];
export declare const undoId: string;
export declare const version: { readonly id: string };
export declare const key: { readonly id: string };
export declare const link: HTMLAnchorElement;
export declare const image: HTMLImageElement;
export declare const png: Uint8Array<ArrayBuffer>;
export declare const batch: { readonly url: string };
export declare const session: { readonly id: string };
export declare const identity: { readonly issuer: string; readonly subject: string };
export declare const passkey: { readonly id: string };
export declare const files: File[];
export declare const url: string;
export declare const token: string;
export declare const email: string;
export declare const password: string;
export declare const currentPassword: string;
export declare const newPassword: string;
export declare const secret: string;
export declare const code: string;
export declare const response: Parameters<Holdall["account"]["addPasskey"]>[0]["response"] &
  Parameters<Holdall["account"]["signInWithPasskey"]>[0];
export declare const webhooks: Webhooks;
export declare const webhook: { readonly id: string };
export declare const account: { readonly id: string };
export declare const grant: { readonly id: string };
export declare const invite: { readonly id: string };
export declare function show(loaded: number, total: number | undefined): void;
`;

const HELPER = `const { file } = await import(${JSON.stringify(join(ROOT, "sdk/src/holdall.ts"))});\n`;

/** An entry of the SDK, which an example imports. */
const ENTRY = /"@holdall\/sdk\/([\w-]+)"/;
const entryPath = (_: string, name: string) => JSON.stringify(join(ROOT, `sdk/src/${name}.ts`));
const isImport = (line: string): boolean => line.startsWith("import ");

const CONFIG = {
  extends: join(ROOT, "tsconfig.json"),
  compilerOptions: {
    typeRoots: [join(ROOT, "node_modules/@types")],
    noUnusedLocals: false,
  },
  include: ["*.ts"],
};

test("the TypeScript example of every operation compiles against the SDK", () => {
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(CONFIG));
  writeFileSync(join(folder, "given.ts"), GIVEN);
  const names = [...GIVEN.matchAll(/^export declare \w+ (\w+)/gm)].map(([, name]) => name);
  const imports = `import { ${names.join(", ")} } from "./given.ts";`;
  for (const { id, example } of Object.values<Operation>(operations)) {
    // Examples that upload import `file`, which makes content from a path.
    const helper = example.sdk.includes('file("') ? HELPER : "";
    const lines = example.sdk.split("\n");
    const own = lines.filter(isImport).map((line) => line.replace(ENTRY, entryPath));
    const code = lines.filter((line) => !isImport(line)).join("\n");
    const text = [imports, ...own, `{\n${helper}${code}\n}`, ""].join("\n");
    writeFileSync(join(folder, `${id}.ts`), text);
  }
  const tsc = join(ROOT, "node_modules/.bin/tsc");
  const { stdout, exitCode } = Bun.spawnSync(["node", tsc, "-p", folder, "--pretty", "false"]);
  expect(stdout.toString()).toBe("");
  expect(exitCode).toBe(0);
});
