import { readFileSync } from "node:fs";
import { join } from "node:path";
import { api } from "../../test/client.ts";
import { requireTool } from "../require-tool.ts";
import type { ServerProcess } from "../server-process.ts";
import type { ClientResult, ClientSetup } from "./client-setup.ts";
import { headerOf, startRecordingProxy } from "./recording-proxy.ts";
import { runClient } from "./run-client.ts";

const SECONDS = 40;

interface Seek {
  readonly name: string;
  /** The command that reads the video at a URL or path. */
  readonly command: (video: string) => readonly string[];
}

/** Read the index at the end of the video, packets in the middle, and frames after a seek. */
const SEEKS: readonly Seek[] = [
  {
    name: "ffprobe of the index",
    command: (video) => [
      ...["ffprobe", "-v", "error", "-show_format", "-show_streams", "-of", "json", video],
    ],
  },
  ...[10, 50, 90].map(
    (percent): Seek => ({
      name: `ffprobe at ${percent} %`,
      command: (video) => [
        ...["ffprobe", "-v", "error", "-read_intervals", `${(SECONDS * percent) / 100}%+#5`],
        ...["-show_packets", "-show_data_hash", "md5", "-of", "json", video],
      ],
    }),
  ),
  ...[3, 21, 38].map(
    (second): Seek => ({
      name: `ffmpeg from second ${second}`,
      command: (video) => [
        ...["ffmpeg", "-v", "error", "-ss", String(second), "-i", video],
        ...["-frames:v", "5", "-f", "framemd5", "-"],
      ],
    }),
  ),
];

/** Seeks in a video: the output must equal the local file's output, and each seek must use a range. */
export async function seekInVideo(
  server: ServerProcess,
  setup: ClientSetup,
): Promise<ClientResult> {
  const { folder, size, commandPrefix = [] } = setup;
  requireTool("ffprobe", "ffmpeg");
  const video = join(folder, "video.mp4");
  await generateVideo(video, size);
  const bytes = readFileSync(video);
  const stored = await api(server).put(`clients/${crypto.randomUUID()}.mp4`, bytes);
  const problems: string[] = [];
  let [lost, maxRead] = [0, 0];
  for (const { name, command } of SEEKS) {
    const proxy = await startRecordingProxy(setup.url);
    try {
      const url = `${proxy.url}/${stored.url}`;
      const remote = await runClient([...commandPrefix, ...command(url)]);
      const local = await runClient(command(video));
      if (remote.code !== 0) problems.push(`${name} exited with ${remote.code}: ${remote.stderr}`);
      else if (remote.stdout.replaceAll(url, video) !== local.stdout) {
        lost += 1;
        problems.push(`${name} read other content.`);
      }
      const seeks = proxy.requestHeads.filter((head) =>
        /^bytes=[1-9]/.test(headerOf(head, "range") ?? ""),
      );
      if (seeks.length === 0) problems.push(`${name} requested no range.`);
      maxRead = Math.max(maxRead, proxy.responseBytes());
    } finally {
      proxy.close();
    }
  }
  const note = `at most ${(maxRead / 1e6).toFixed(1)} of ${(bytes.length / 1e6).toFixed(1)} MB read`;
  return { tries: SEEKS.length, lost, problems, note };
}

/** Writes a video of about `size` bytes with its index at the end, as cameras write it. */
async function generateVideo(video: string, size: number): Promise<void> {
  const bitrate = String(Math.floor((size * 8) / SECONDS));
  const { code, stderr } = await runClient([
    ...["ffmpeg", "-v", "error", "-y", "-f", "lavfi"],
    ...["-i", `testsrc2=size=640x360:rate=25:duration=${SECONDS}`],
    ...["-vf", "noise=alls=40:allf=t", "-c:v", "mpeg4", "-b:v", bitrate, "-g", "25", video],
  ]);
  if (code !== 0) throw new Error(`ffmpeg did not generate the video (${code}): ${stderr}`);
}
