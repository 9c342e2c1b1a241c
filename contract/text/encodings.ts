/** Encodings that people can choose for a text: labels of the Encoding standard, and what people call them. */
export const ENCODINGS: readonly { readonly value: string; readonly label: string }[] = [
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
