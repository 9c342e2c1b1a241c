/** The `Credential` of Signature Version 4, for the service S3. */
export interface Credential {
  readonly accessKeyId: string;
  /** `YYYYMMDD` */
  readonly date: string;
  readonly region: string;
}

const CREDENTIAL = /^([^/\s]{1,128})\/(\d{8})\/([\x20-\x2e\x30-\x7e]{1,255})\/s3\/aws4_request$/;

/**
 * undefined: it is not `KEY-ID/YYYYMMDD/REGION/s3/aws4_request`. Any region of printable ASCII is valid:
 * some clients name the host.
 */
export function parseCredential(text: string): Credential | undefined {
  const [, accessKeyId, date, region] = CREDENTIAL.exec(text) ?? [];
  if (accessKeyId === undefined || date === undefined || region === undefined) return undefined;
  return { accessKeyId, date, region };
}
