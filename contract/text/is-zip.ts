const ZIP = /^application\/(?:zip|x-zip-compressed|java-archive|vnd\.android\.package-archive)$/i;

/** Returns whether files of this media type are zips. Previews list the files in a zip. */
export const isZip = (mimeType: string): boolean => ZIP.test(mimeType);
