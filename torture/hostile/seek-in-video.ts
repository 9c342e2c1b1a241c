import { readFileSync } from "node:fs";
import { join } from "node:path";
import { api } from "../../test/client.ts";
import { requireTool } from "../require-tool.ts";
import type { ServerProcess } from "../server-process.ts";
import type { ClientResult, ClientSetup } from "./client-setup.ts";
import { fieldOf, startRecordingProxy } from "./recording-proxy.ts";
import { runClient } from "./run-client.ts";

const SECONDS = 40;

/**
 * What video players read: the index at the end of the file, some frames in the middle by byte
 * offset, and frames after a seek.
 */
const QUESTIONS: readonly (readonly [what: string, ask: (film: string) => readonly string[]])[] = [
  [
    "ffprobe of the index",
    (film) => ["ffprobe", "-v", "error", "-show_format", "-show_streams", "-of", "json", film],
  ],
  ...[10, 50, 90].map(
    (share) =>
      [
        `ffprobe at ${share} %`,
        (film: string) => [
          ...["ffprobe", "-v", "error", "-read_intervals", `${(SECONDS * share) / 100}%+#5`],
          ...["-show_packets", "-show_data_hash", "md5", "-of", "json", film],
        ],
      ] as const,
  ),
  ...[3, 21, 38].map(
    (second) =>
      [
        `ffmpeg from second ${second}`,
        (film: string) => [
          ...["ffmpeg", "-v", "error", "-ss", String(second), "-i", film],
          ...["-frames:v", "5", "-f", "framemd5", "-"],
        ],
      ] as const,
  ),
];

/** Seeking must show the same frames as in the local file, without reading all of it. */
export async function seekInVideo(
  server: ServerProcess,
  setup: ClientSetup,
): Promise<ClientResult> {
  const { folder, size, commandPrefix = [] } = setup;
  requireTool("ffprobe", "ffmpeg");
  const film = join(folder, "film.mp4");
  await shoot(film, size);
  const bytes = readFileSync(film);
  const stored = await api(server).put(`clients/${crypto.randomUUID()}.mp4`, bytes);
  const problems: string[] = [];
  let [lost, most] = [0, 0];
  for (const [what, ask] of QUESTIONS) {
    const proxy = await startRecordingProxy(setup.url);
    try {
      const address = `${proxy.url}/${stored.url}`;
      const there = await runClient([...commandPrefix, ...ask(address)]);
      const here = await runClient(ask(film));
      if (there.code !== 0) problems.push(`${what} ended with ${there.code}: ${there.stderr}`);
      else if (there.stdout.replaceAll(address, film) !== here.stdout) {
        lost += 1;
        problems.push(`${what} saw something else.`);
      }
      const jumps = proxy.heads.filter((head) => /^bytes=[1-9]/.test(fieldOf(head, "range") ?? ""));
      if (jumps.length === 0) problems.push(`${what} did not jump.`);
      most = Math.max(most, proxy.passed());
    } finally {
      proxy.close();
    }
  }
  const read = `${(most / 1e6).toFixed(1)} of ${(bytes.length / 1e6).toFixed(1)} MB read at most`;
  return { tries: QUESTIONS.length, lost, problems, note: read };
}

/** A video of about this many bytes, with its index at the end, as cameras write it. */
async function shoot(film: string, size: number): Promise<void> {
  const bitrate = String(Math.floor((size * 8) / SECONDS));
  const { code, stderr } = await runClient([
    ...["ffmpeg", "-v", "error", "-y", "-f", "lavfi"],
    ...["-i", `testsrc2=size=640x360:rate=25:duration=${SECONDS}`],
    ...["-vf", "noise=alls=40:allf=t", "-c:v", "mpeg4", "-b:v", bitrate, "-g", "25", film],
  ]);
  if (code !== 0) throw new Error(`No film could be made (${code}): ${stderr}`);
}
