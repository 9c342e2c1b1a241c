/** The boundary of all forms. */
const BOUNDARY = "bench-boundary";

export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** The bytes before and after a file's content in a form with a single file. */
export function formAround(name: string): { readonly head: string; readonly tail: string } {
  const disposition = `Content-Disposition: form-data; name="files"; filename="${name}"`;
  return {
    head: `--${BOUNDARY}\r\n${disposition}\r\n\r\n`,
    tail: `\r\n--${BOUNDARY}--\r\n`,
  };
}
