/* The access key id of an API key is its id without dashes, as some tools only accept letters and digits. */

export const accessKeyIdOf = (keyId: string): string => keyId.replaceAll("-", "");

const ACCESS_KEY_ID =
  /^([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})$/;

/** The id of an API key, from its access key id with or without dashes; undefined: it is none. */
export function keyIdOf(accessKeyId: string): string | undefined {
  return ACCESS_KEY_ID.exec(accessKeyId)?.slice(1).join("-");
}
