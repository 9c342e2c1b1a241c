import { Link } from "lucide-react";
import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/client.ts";
import { Button } from "../../../components/button.tsx";
import { UrlField } from "../../../components/fields/url-field.tsx";
import { copyUrl } from "../actions/copy-url.ts";

/** The URL of a file. The URL of a private file opens nothing without a key, so it comes after a link. */
export function FileUrl({ file }: { readonly file: FileObject }) {
  const url = holdall.url(file);
  if (file.visibility === "public") return <UrlField label="URL" url={url} />;
  return (
    <div className="flex flex-col gap-3">
      <Button size="sm" Icon={Link} className="self-start" onClick={() => void copyUrl(file)}>
        Copy link
      </Button>
      <UrlField
        label="URL with an API key"
        url={url}
        hint="This URL needs a key, because the file is private."
      />
    </div>
  );
}
