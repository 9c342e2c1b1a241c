import { ENCODINGS } from "../../../../../../contract/text/encodings.ts";
import { Select } from "../../../../components/fields/select.tsx";
import type { FileText } from "./use-text.ts";

const AUTOMATIC = "";

const OPTIONS = [{ value: AUTOMATIC, label: "Automatic" }, ...ENCODINGS];

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
    options={OPTIONS}
    value={chosenEncoding}
    onChange={(label) => chooseEncoding(label === AUTOMATIC ? undefined : label)}
  />
);
