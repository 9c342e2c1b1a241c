declare module "*.woff2" {
  /** Where the font is. */
  const path: string;
  // biome-ignore lint/style/noDefaultExport: the runtime's form for a file that is imported
  export default path;
}
