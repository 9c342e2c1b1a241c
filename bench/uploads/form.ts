/** The boundary of every form here. */
const BOUNDARY = "bench-boundary";

export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** What comes before a file's bytes in a form with nothing else in it, and what comes after. */
export function formAround(name: string): { readonly head: string; readonly tail: string } {
  const disposition = `Content-Disposition: form-data; name="files"; filename="${name}"`;
  return {
    head: `--${BOUNDARY}\r\n${disposition}\r\n\r\n`,
    tail: `\r\n--${BOUNDARY}--\r\n`,
  };
}
