const meta = (name: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[name="holdall-${name}"]`)?.content ?? "";

/** The name of the instance. */
export const instanceName = meta("name") || "Holdall";

const [src, width, height] = meta("logo").split(" ");

/** The logo of the instance; undefined: Holdall's. */
export const instanceLogo = src ? { src, width, height } : undefined;
