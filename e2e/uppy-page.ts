import Uppy from "@uppy/core";
import Tus from "@uppy/tus";

/* A page of another site that uploads with Uppy, bundled for `uppy.test.ts`. */

export interface UppyPage {
  /** Picks a file for an upload URL, which the site's server has created. */
  pick(uploadUrl: string): void;
  start(): Promise<{ successful: number; failed: string[] }>;
  pauseAll(): void;
  resumeAll(): void;
  /** Bytes that have arrived. */
  sent(): number;
}

const SIZE = 6_000_000;

let uppy: Uppy | undefined;

const page: UppyPage = {
  pick(uploadUrl) {
    const bytes = Uint8Array.from({ length: SIZE }, (_, at) => at % 251);
    uppy = new Uppy().use(Tus, {
      endpoint: uploadUrl,
      chunkSize: 500_000,
      // The server of a busy machine starts again after seconds.
      retryDelays: [200, 500, 1000, 2000, ...Array.from({ length: 20 }, () => 3000)],
    });
    const name = "clip.mp4";
    const file = uppy.addFile({ name, type: "video/mp4", data: new File([bytes], name) });
    uppy.setFileState(file, { tus: { uploadUrl } });
  },
  async start() {
    const result = await uppy?.upload();
    return {
      successful: result?.successful?.length ?? 0,
      failed: (result?.failed ?? []).map(({ error }) => String(error)),
    };
  },
  pauseAll: () => uppy?.pauseAll(),
  resumeAll: () => uppy?.resumeAll(),
  sent() {
    const uploaded = uppy?.getFiles()[0]?.progress.bytesUploaded;
    return typeof uploaded === "number" ? uploaded : 0;
  },
};

Object.assign(window, { uppyPage: page });
