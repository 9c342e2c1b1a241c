import { basename, join } from "node:path";

export interface Script {
  /** Placeholder in index.html; undefined for chunks, which only scripts import. */
  readonly role: string | undefined;
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Preloaded, because the entry needs it. */
  readonly preload: boolean;
}

/**
 * Bundles the dashboard's modules, the small theme script that runs before them, and the scripts of the
 * pages of links and of the documents: that of those that receive files, the viewers, and the search.
 * `themeStyles` is the name of the dashboard's style sheet.
 */
export async function bundleScripts(source: string, themeStyles: string): Promise<Script[]> {
  const worker = await pdfWorker(source);
  const define = {
    "process.env.PDF_WORKER": JSON.stringify(worker.name),
    "process.env.THEME_STYLES": JSON.stringify(themeStyles),
  };
  const [main, early, drop, documents, archives, docs] = await Promise.all([
    bundle([join(source, "main.tsx")], { splitting: true, format: "esm", define }),
    bundle([join(source, "theme/early.ts")], { splitting: false, format: "iife" }),
    bundle([join(source, "drop/drop-page.ts")], {
      splitting: true,
      format: "esm",
      // The server finds the entry by its name, which no chunk may have.
      chunk: "drop-[name]-[hash].[ext]",
    }),
    bundle([join(source, "links/document-viewer.ts")], { splitting: false, format: "esm", define }),
    bundle([join(source, "links/archive-viewer.tsx")], { splitting: false, format: "esm", define }),
    bundle([join(source, "docs/docs-page.ts")], {
      splitting: true,
      format: "esm",
      chunk: "guides-[name]-[hash].[ext]",
    }),
  ]);
  const texts = new Map<string, string>();
  for (const output of main) texts.set(basename(output.path), await output.text());
  const entry = main.find(({ kind }) => kind === "entry-point");
  if (entry === undefined || early[0] === undefined)
    throw new Error("The bundler produced no entry point.");
  const preload = initialChunks(texts, basename(entry.path));

  const scripts: Script[] = [worker];
  for (const output of main) {
    const name = basename(output.path);
    scripts.push({
      role: output === entry ? "main.js" : undefined,
      name,
      bytes: new Uint8Array(await output.arrayBuffer()),
      preload: preload.has(name) && output !== entry,
    });
  }
  const [script] = early;
  scripts.push({
    role: "theme.js",
    name: basename(script.path).replace("early", "theme"),
    bytes: new Uint8Array(await script.arrayBuffer()),
    preload: false,
  });
  for (const output of [...drop, ...documents, ...archives, ...docs]) {
    const bytes = new Uint8Array(await output.arrayBuffer());
    scripts.push({ role: undefined, name: basename(output.path), bytes, preload: false });
  }
  return scripts;
}

/** If a document is closed while it loads, PDF.js rejects a promise that nothing handles. */
const CLOSED_DOCUMENTS = `addEventListener("unhandledrejection", (event) => {
  if (event.reason?.message === "Worker was terminated") event.preventDefault();
});
`;

/** The PDF.js worker; the bundle refers to it by name. */
async function pdfWorker(source: string): Promise<Script> {
  const path = join(source, "../../node_modules/pdfjs-dist/build/pdf.worker.min.mjs");
  const bytes = Buffer.concat([Buffer.from(CLOSED_DOCUMENTS), await Bun.file(path).bytes()]);
  const hash = Bun.hash(bytes).toString(36).slice(0, 8);
  return { role: undefined, name: `pdf-worker-${hash}.js`, bytes, preload: false };
}

interface BundleOptions {
  readonly splitting: boolean;
  readonly format: "esm" | "iife";
  readonly define?: Readonly<Record<string, string>>;
  /** The names of chunks. */
  readonly chunk?: string;
}

async function bundle(entrypoints: string[], options: BundleOptions) {
  const { splitting, format, define, chunk = "[name]-[hash].[ext]" } = options;
  const { outputs } = await Bun.build({
    entrypoints,
    splitting,
    format,
    target: "browser",
    minify: true,
    naming: { entry: "[name]-[hash].[ext]", chunk },
    define: { "process.env.NODE_ENV": '"production"', ...define },
  });
  return outputs;
}

/** The static imports of the entry, so that the browser fetches all at once. */
function initialChunks(texts: ReadonlyMap<string, string>, entry: string): Set<string> {
  const names = [...texts.keys()];
  const found = new Set<string>();
  const visit = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    const text = texts.get(name) ?? "";
    for (const other of names) {
      // Static imports only; dynamic ones are written `import("…")`.
      if (text.includes(`from"./${other}"`) || text.includes(`import"./${other}"`)) visit(other);
    }
  };
  visit(entry);
  return found;
}
