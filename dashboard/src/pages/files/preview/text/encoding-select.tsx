import { Select } from "../../../../components/fields/select.tsx";
import type { FileText } from "./use-text.ts";

const AUTOMATIC = "";

/** Labels of the Encoding standard, and what people call them. */
const ENCODINGS = [
  { value: AUTOMATIC, label: "Automatic" },
  { value: "utf-8", label: "Unicode (UTF-8)" },
  { value: "windows-1252", label: "Western European" },
  { value: "windows-1250", label: "Central European" },
  { value: "windows-1251", label: "Cyrillic (Windows)" },
  { value: "koi8-r", label: "Cyrillic (KOI8-R)" },
  { value: "windows-1253", label: "Greek" },
  { value: "windows-1254", label: "Turkish" },
  { value: "windows-1255", label: "Hebrew" },
  { value: "windows-1256", label: "Arabic" },
  { value: "shift_jis", label: "Japanese (Shift_JIS)" },
  { value: "euc-jp", label: "Japanese (EUC-JP)" },
  { value: "gb18030", label: "Chinese (GB18030)" },
  { value: "big5", label: "Chinese (Big5)" },
  { value: "euc-kr", label: "Korean" },
  { value: "windows-874", label: "Thai" },
];

/** How the bytes of a text that is not UTF-8 are read. */
export const EncodingSelect = ({
  content: { chosenEncoding = AUTOMATIC, chooseEncoding },
}: {
  readonly content: FileText;
}) => (
  <Select
    aria-label="Text encoding"
    isFilter
    className="max-w-40"
    options={ENCODINGS}
    value={chosenEncoding}
    onChange={(label) => chooseEncoding(label === AUTOMATIC ? undefined : label)}
  />
);
