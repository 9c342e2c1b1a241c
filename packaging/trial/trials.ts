import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Artifacts } from "../artifacts.ts";
import { installTools } from "./installed-tools.ts";
import { npmInstall } from "./npm-install.ts";
import { buildNextExample, tryNextExample } from "./try-next.ts";
import { tryServerInTime } from "./try-server.ts";

/** The most seconds from the end of an installation until the server responds. */
const MAX_START_SECONDS = 10;

export interface Trial {
  readonly title: string;
  /** Resolves with what to report. Error: the artifact does not work. */
  run(): Promise<string>;
}

/** Installs each artifact in an empty folder, as its users do, and uses it. */
export function trialsOf(artifacts: Artifacts, work: string): readonly Trial[] {
  const { holdall, sdk, react, cli, executable } = artifacts;
  const folder = (name: string): string => {
    const path = join(work, name);
    mkdirSync(path, { recursive: true });
    return path;
  };
  const binOf = (project: string): string => join(project, "node_modules/.bin/holdall");
  const tools = () => installTools(join(work, "tools"));

  return [
    {
      title: "holdall: npm install",
      run: () => {
        npmInstall(folder("npm"), [holdall.path]);
        return serve([binOf(folder("npm"))], folder("npm"));
      },
    },
    {
      title: "holdall: npm install --ignore-scripts",
      run: () => {
        npmInstall(folder("ignored"), [holdall.path], ["--ignore-scripts"]);
        return serve([binOf(folder("ignored"))], folder("ignored"));
      },
    },
    {
      title: "holdall: npm install by a user without root, with an empty cache",
      run: () => {
        const project = folder("user");
        chmodSync(project, 0o777);
        const tarball = join(project, basename(holdall.path));
        cpSync(holdall.path, tarball);
        const [program = "npm", ...args] = [...withoutRights(), "npm", "install", tarball];
        run(program, args, project, { ...process.env, HOME: project, ...cacheIn(project) });
        return serve([...withoutRights(), binOf(project)], project);
      },
    },
    {
      title: "holdall: npx, with an empty cache",
      run: () => {
        const project = folder("npx");
        const cache = { ...cacheIn(project), npm_config_yes: "true" };
        const npx = ["npx", `--package=${holdall.path}`, "holdall"];
        const version = () =>
          run("npx", [...npx.slice(1), "version"], project, { ...process.env, ...cache });
        // The first run installs it. The second takes as long as npm takes before it starts an installed server.
        version();
        const from = performance.now();
        version();
        const npmSeconds = (performance.now() - from) / 1000;
        return serve(npx, project, cache, undefined, MAX_START_SECONDS + npmSeconds);
      },
    },
    {
      title: "holdall: pnpm",
      run: () => {
        const project = folder("pnpm");
        writeFileSync(join(project, "package.json"), '{ "private": true }\n');
        const store = join(project, "store");
        tools().run(project, "pnpm", ["add", `--store-dir=${store}`, holdall.path]);
        return serve([binOf(project)], project);
      },
    },
    {
      title: "holdall: a read-only installation of another user",
      run: async () => {
        const project = folder("read-only");
        npmInstall(project, [holdall.path], ["--ignore-scripts"]);
        const modules = join(project, "node_modules");
        spawnSync("chmod", ["-R", "a=rX", modules]);
        const home = folder("read-only-home");
        chmodSync(home, 0o777);
        try {
          return await serve([...withoutRights(), binOf(project)], home);
        } finally {
          // Only root removes files from read-only folders.
          spawnSync("chmod", ["-R", "u+w", modules]);
        }
      },
    },
    {
      title: "holdall: the executable alone",
      run: () => {
        const place = folder("executable");
        cpSync(executable, join(place, "holdall"));
        return serve([join(place, "holdall")], place);
      },
    },
    {
      title: "packages: publint and attw",
      run: async () => {
        const checks = tools();
        for (const { path } of [holdall, sdk, react, cli])
          checks.run(work, "publint", ["--strict", path]);
        for (const { path } of [sdk, react])
          checks.run(work, "attw", ["--profile", "esm-only", path]);
        return "clean";
      },
    },
    {
      title: "@holdall/cli: put and get",
      run: () => {
        npmInstall(folder("cli"), [cli.path]);
        writeFileSync(join(folder("cli"), "a.txt"), "from the command line");
        return serve([executable], folder("cli"), {}, (env) => {
          for (const args of [
            ["put", "a.txt"],
            ["get", "a.txt", "b.txt"],
          ]) {
            run(binOf(folder("cli")), args, folder("cli"), env);
          }
          run("cmp", ["a.txt", "b.txt"], folder("cli"), env);
        });
      },
    },
    {
      title: "@holdall/sdk: uploadTo from Node",
      run: () => {
        npmInstall(folder("sdk"), [sdk.path]);
        writeFileSync(join(folder("sdk"), "send.mjs"), SEND);
        return serve([executable], folder("sdk"), {}, (env) => {
          run("node", ["send.mjs"], folder("sdk"), env);
        });
      },
    },
    {
      title: "@holdall/react: the example with Next.js, in a browser",
      run: () => {
        buildNextExample(folder("next"), [sdk.path, react.path]);
        const place = folder("next-server");
        return serve([executable], place, {}, (env) => tryNextExample(folder("next"), env));
      },
    },
  ];
}

const SEND = `import { Holdall } from "@holdall/sdk";
import { uploadTo } from "@holdall/sdk/upload";
const holdall = new Holdall({ url: process.env.HOLDALL_URL, apiKey: process.env.HOLDALL_KEY });
const { url } = await holdall.uploads.create({ folder: "sdk" });
const { id } = await uploadTo(url, new File(["sent"], "sent.txt"));
const { response } = await holdall.files.download(id);
if ((await response.text()) !== "sent") throw new Error("the download differs");
`;

async function serve(
  command: readonly string[],
  folder: string,
  env: Readonly<Record<string, string>> = {},
  meanwhile?: (env: Record<string, string>) => void | Promise<void>,
  maxSeconds = MAX_START_SECONDS,
): Promise<string> {
  const starts = await tryServerInTime({ command, folder, env, meanwhile }, maxSeconds);
  return `serves after ${starts.map((each) => each.toFixed(1)).join(", then ")} s`;
}

const cacheIn = (folder: string) => ({ npm_config_cache: join(folder, "cache") });

function run(program: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} failed:\n${stdout}${stderr}`);
}

/** Root may write everywhere, so it becomes a user that owns nothing. */
const withoutRights = (): readonly string[] =>
  process.getuid?.() === 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : [];
