declare module "*.woff2" {
  /** Path of the font file. */
  const path: string;
  // biome-ignore lint/style/noDefaultExport: the runtime exports an imported file as the default
  export default path;
}
