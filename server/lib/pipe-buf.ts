/**
 * In bytes: a pipe takes a write of this length as a whole, or none of it, so that no other process writes into it.
 * POSIX asks for at least 512; Linux has 4,096.
 */
export const PIPE_BUF = 4096;
