import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import react from "../../react/package.json" with { type: "json" };
import { root } from "../root.ts";
import { manifest, writeManifest } from "./manifest.ts";

/** The part of the SDK that the hook imports: its source here, and the entry that the package imports instead. */
const SDK_SOURCE = "sdk/src/upload-only.ts";
const SDK_ENTRY = "@holdall/sdk/upload";

/** Writes the npm package `@holdall/react` into the folder. */
export async function writeReactPackage(folder: string): Promise<void> {
  const dist = join(folder, "dist");
  mkdirSync(dist, { recursive: true });
  const { success, logs } = await Bun.build({
    entrypoints: [join(root, "react/src/use-uploads.ts")],
    outdir: dist,
    target: "browser",
    format: "esm",
    sourcemap: "linked",
    // React's frameworks look for it in the first line.
    banner: '"use client";',
    external: ["react"],
    plugins: [
      {
        name: "the SDK is a package",
        setup: ({ onResolve }) => {
          onResolve({ filter: /sdk\/src\/upload-only\.ts$/ }, () => ({
            path: SDK_ENTRY,
            external: true,
          }));
        },
      },
    ],
  });
  if (!success) throw new Error(`The package could not be built:\n${logs.join("\n")}`);
  writeTypes(dist);
  for (const name of ["LICENSE", "react/README.md"]) {
    cpSync(join(root, name), join(folder, name.replace("react/", "")));
  }
  // The same release of both.
  writeManifest(folder, { ...react, dependencies: { "@holdall/sdk": manifest.version } });
}

function writeTypes(dist: string): void {
  const types = join(dist, "types");
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const args = [tsc, "-p", join(root, "react/tsconfig.build.json"), "--outDir", types];
  const { status, stdout } = spawnSync("node", args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`The types could not be written:\n${stdout}`);
  const own = join(types, "react/src");
  for (const name of readdirSync(own)) {
    const text = readFileSync(join(own, name), "utf8")
      .replaceAll(`../../${SDK_SOURCE}`, SDK_ENTRY)
      // Some compilers do not resolve `.ts` in declarations.
      .replaceAll(/(from "\.[^"]*)\.ts"/g, '$1.js"');
    writeFileSync(join(dist, name), text);
  }
  rmSync(types, { recursive: true });
}
