import AwsS3 from "@uppy/aws-s3";
import Uppy from "@uppy/core";

/* A page of another site that uploads to the S3 API with Uppy, bundled for `uppy-s3.test.ts`. */

export interface UppyS3Page {
  /** Uploads a file of so many bytes, in parts or at once. The errors; none: it is stored. */
  upload(name: string, size: number, isMultipart: boolean): Promise<string[]>;
}

/** What Uppy asks its site to sign. */
export interface RequestToSign {
  readonly method: string;
  readonly key: string;
  readonly uploadId?: string;
  readonly partNumber?: number;
}

declare global {
  interface Window {
    /** Of the site, which has the credentials. */
    readonly signRequest: (request: RequestToSign) => Promise<string>;
    readonly uppyS3Page: UppyS3Page;
  }
}

const page: UppyS3Page = {
  async upload(name, size, isMultipart) {
    const uppy = new Uppy().use(AwsS3, {
      shouldUseMultipart: isMultipart,
      getChunkSize: () => 5 * 1024 * 1024,
      generateObjectKey: () => name,
      signRequest: async (request) => ({ url: await window.signRequest(request) }),
    });
    const bytes = Uint8Array.from({ length: size }, (_, at) => at % 251);
    uppy.addFile({ name, type: "video/mp4", data: new File([bytes], name) });
    const result = await uppy.upload();
    return (result?.failed ?? []).map(({ error }) => String(error));
  },
};

Object.assign(window, { uppyS3Page: page });
