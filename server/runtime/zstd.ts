export const { zstdCompressSync, zstdDecompressSync } = Bun;
