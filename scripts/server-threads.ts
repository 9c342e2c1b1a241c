/** The server's threads: programs of their own, which a bundle needs as entry points. */
export const serverThreads = ["writer-thread", "snapshot-thread"].map(
  (name) => `server/catalog/sqlite/${name}.ts`,
);
