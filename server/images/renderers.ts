import type { ImageChild } from "./image-child.ts";
import type { RenderJob, RenderResult } from "./rendering.ts";

/** Several children, of which each renders one image at a time. */
export interface Renderers {
  /** Waits for a free child. Rejects like `ImageChild.render`. */
  render(job: RenderJob): Promise<RenderResult>;
  close(): Promise<void>;
}

export function createRenderers(children: readonly ImageChild[]): Renderers {
  // The last used comes first, so that the others can end when there is little to do.
  const free = [...children];
  const waiting: ((child: ImageChild) => void)[] = [];

  function release(child: ImageChild): void {
    const next = waiting.shift();
    if (next === undefined) free.push(child);
    else next(child);
  }

  return {
    async render(job) {
      const child = free.pop() ?? (await new Promise<ImageChild>((take) => waiting.push(take)));
      try {
        return await child.render(job);
      } finally {
        release(child);
      }
    },
    async close() {
      await Promise.all(children.map((child) => child.close()));
    },
  };
}
