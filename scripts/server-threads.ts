/** The server's threads: programs of their own, which a bundle needs as entry points. */
export const serverThreads = [
  "server/catalog/sqlite/writer-thread.ts",
  "server/catalog/sqlite/snapshot-thread.ts",
  "server/blobs/disk/mark-thread.ts",
  "server/files/upload/hash-thread.ts",
];
