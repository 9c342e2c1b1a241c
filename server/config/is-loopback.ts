const LOOPBACK = /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1|\[::1\]|localhost)$/i;

export const isLoopback = (host: string): boolean => LOOPBACK.test(host);
