import { spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { removeFolder, temporaryFolder } from "./harness.ts";
import { encodePng } from "./image-encoders.ts";

/**
 * Runs a curl command of the documents as a reader pastes it, in a folder with the files that it names. Returns the
 * status of the response. The settings of curl, which the command does not show, print the status.
 */
export async function pasteCommand(
  command: string,
  { url, apiKey, cookie }: { url: string; apiKey: string; cookie: string },
): Promise<number> {
  const home = temporaryFolder();
  try {
    const folder = mkdtempSync(join(home, "work-"));
    writeFileSync(join(home, ".curlrc"), 'silent\nwrite-out = "%{stderr}%{http_code}"\n');
    for (const [, name = ""] of command.matchAll(/(?:@|-T )([\w.-]+\.\w+)/g)) {
      const png = encodePng(1, 1, () => [0, 0, 0, 255]);
      writeFileSync(join(folder, name), name.endsWith(".png") ? png : "bytes");
    }
    const fields = [new URL(url).hostname, "FALSE", "/", "FALSE", "0", ...cookie.split("=")];
    writeFileSync(join(folder, "session.txt"), `${fields.join("\t")}\n`);
    const child = spawn("bash", ["-c", command], {
      cwd: folder,
      env: { ...process.env, CURL_HOME: home, HOLDALL_URL: url, HOLDALL_KEY: apiKey },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let output = "";
    child.stderr.on("data", (chunk) => {
      output += chunk;
    });
    const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
    if (code !== 0) throw new Error(`curl ended with ${code}: ${output}\n${command}`);
    return Number(output);
  } finally {
    removeFolder(home);
  }
}
