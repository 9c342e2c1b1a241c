import type { MutatedForm } from "./mutated-form.ts";

/** An attack that crashed or stalled another multipart parser. */
export interface MultipartCve extends MutatedForm {
  /** The CVE, the parser, and what the form does. */
  readonly name: string;
  /** Whether the client resets the connection in the middle of the body. */
  readonly isAborted?: boolean;
}

const TYPE = "multipart/form-data; boundary=B";
const FILE = 'Content-Disposition: form-data; name="files"; filename="a.txt"';
const part = (head: string, content = "x"): string => `--B\r\n${head}\r\n\r\n${content}\r\n`;
const form = (...parts: string[]): string => `${parts.join("")}--B--\r\n`;

export const multipartCves: readonly MultipartCve[] = [
  {
    name: "CVE-2025-47944 (multer): a Content-Type without a boundary",
    contentType: "multipart/form-data",
    body: form(part(FILE)),
  },
  {
    name: "CVE-2025-47944 (multer): a body with another boundary",
    contentType: TYPE,
    body: "--A\r\nContent-Disposition: form-data\r\n\r\nx\r\n--A--\r\n",
  },
  {
    name: "CVE-2025-47935 (multer): a file's stream ends with an error",
    contentType: TYPE,
    body: `--B\r\n${FILE}\r\n\r\n${"x".repeat(100_000)}`,
    isAborted: true,
  },
  {
    name: "CVE-2025-48997 (multer): a file in a field without a name",
    contentType: TYPE,
    body: form(part('Content-Disposition: form-data; name=""; filename="a.txt"')),
  },
  {
    name: "CVE-2025-7338 (multer): a malformed field after a file",
    contentType: TYPE,
    body: `${part(FILE)}--B\r\nContent-Disposition: form-data; name="files"; filename="b\r\n\r\nx`,
  },
  {
    name: "CVE-2026-2359 (multer): the connection is reset within a file",
    contentType: TYPE,
    body: `--B\r\n${FILE}\r\n\r\npartial`,
    isAborted: true,
  },
  {
    name: "CVE-2026-3304 (multer): a malformed part after a large file",
    contentType: TYPE,
    body: `${part(FILE, "y".repeat(50_000))}${part("no header at all")}`,
  },
  {
    name: "CVE-2026-3520 (multer): ten thousand nested malformed parts",
    contentType: TYPE,
    body: `${'--B\r\nContent-Disposition: form-data; name="a\r\n'.repeat(10_000)}--B--\r\n`,
  },
  {
    name: "CVE-2026-5079 (multer): a field name with ten thousand levels",
    contentType: TYPE,
    body: form(part(`Content-Disposition: form-data; name="a${"[b]".repeat(10_000)}"`)),
  },
  {
    name: "CVE-2026-8159 (multiparty): a filename that causes regular-expression backtracking (ReDoS)",
    contentType: TYPE,
    body: form(
      part(`Content-Disposition: form-data; name="files"; filename="${'\\"'.repeat(7_000)}`),
    ),
  },
  {
    name: "CVE-2026-8159 (multiparty): a filename* of spaces and percent signs",
    contentType: TYPE,
    body: form(
      part(`Content-Disposition: form-data; name="files"; filename*=UTF-8''${"%2 ".repeat(5_000)}`),
    ),
  },
  {
    name: "CVE-2022-24434 (dicer): the first part's header starts with a space",
    contentType: "multipart/form-data; boundary=----WebKitFormBoundaryoo6vortfDzBsDiro",
    body: '------WebKitFormBoundaryoo6vortfDzBsDiro\r\n Content-Disposition: form-data; name="bildbeschreibung"\r\n\r\n\r\n------WebKitFormBoundaryoo6vortfDzBsDiro--',
  },
  {
    name: "CVE-2023-24807 (undici): many spaces in a header's value",
    contentType: TYPE,
    body: form(part(`${FILE}${" ".repeat(12_000)}\tx`)),
  },
  {
    name: "CVE-2023-24998 (Commons FileUpload): 30,000 parts",
    contentType: TYPE,
    body: form(part(FILE).repeat(30_000)),
  },
  {
    name: "CVE-2014-0050 (Commons FileUpload): a boundary of 4,097 bytes",
    contentType: `multipart/form-data; boundary=${"B".repeat(4_097)}`,
    body: `--${"B".repeat(4_097)}\r\n${FILE}\r\n\r\nx`,
  },
  {
    name: "CVE-2024-24762 (python-multipart): a Content-Type of backslashes",
    contentType: `multipart/form-data; !="${"\\".repeat(8_000)}`,
    body: form(part(FILE)),
  },
  {
    name: "CVE-2024-53981 (python-multipart): line breaks before the form",
    contentType: TYPE,
    body: `${"\r\n".repeat(100_000)}${form(part(FILE))}`,
  },
  {
    name: "CVE-2023-25577 (werkzeug): 30,000 fields",
    contentType: TYPE,
    body: form(part('Content-Disposition: form-data; name="folder"').repeat(30_000)),
  },
  {
    name: "CVE-2026-30961 (Gokapi): two parts that exceed the limit together",
    contentType: TYPE,
    body: form(
      part('Content-Disposition: form-data; name="unknown"', "x".repeat(600_000)).repeat(2),
    ),
  },
  {
    name: "CVE-2022-39353 and similar: field names of object properties (prototype pollution)",
    contentType: TYPE,
    body: form(
      part('Content-Disposition: form-data; name="__proto__"'),
      part('Content-Disposition: form-data; name="constructor"; filename="prototype"'),
    ),
  },
];
