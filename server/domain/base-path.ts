/** The path below which a proxy shows the site: empty, or with a leading slash only. */
export const basePath = (publicUrl: string | null): string =>
  publicUrl === null ? "" : new URL(publicUrl).pathname.replace(/\/$/, "");
