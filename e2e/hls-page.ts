import Hls from "hls.js";

/* A page of another site that plays a stream with hls.js, bundled for `hls.test.ts`. */

export interface HlsPage {
  /** Resolves with the seconds that are buffered once the whole stream is; rejects with a fatal error. */
  play(url: string): Promise<number>;
}

const page: HlsPage = {
  play: (url) =>
    new Promise((resolve, reject) => {
      const video = document.createElement("video");
      document.body.append(video);
      const hls = new Hls();
      hls.on(Hls.Events.ERROR, (_, { fatal, type, details }) => {
        if (fatal) reject(new Error(`${type}: ${details}`));
      });
      hls.on(Hls.Events.BUFFER_EOS, () => {
        const { buffered } = video;
        resolve(buffered.length === 0 ? 0 : buffered.end(buffered.length - 1));
      });
      hls.loadSource(url);
      hls.attachMedia(video);
    }),
};

Object.assign(window, { hlsPage: page });
