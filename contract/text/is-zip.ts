const ZIP = /^application\/(?:zip|x-zip-compressed|java-archive|vnd\.android\.package-archive)$/i;

/** Whether files of this media type are zips, whose files previews list. */
export const isZip = (mimeType: string): boolean => ZIP.test(mimeType);
