/** Lower-case letters, digits, dots and hyphens, 3 to 63 of them, with a letter or digit at both ends. */
const BUCKET_NAME = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const IP_ADDRESS = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/**
 * Whether a folder of the root with this name is a bucket. The S3 rules: no dot beside a dot or a
 * hyphen, and no IP address.
 */
export const isBucketName = (name: string): boolean =>
  BUCKET_NAME.test(name) && !/\.\.|\.-|-\./.test(name) && !IP_ADDRESS.test(name);
