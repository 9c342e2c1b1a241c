import { useQuery } from "@tanstack/react-query";
import { Link } from "lucide-react";
import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/client.ts";
import { settingsQuery } from "../../../app/settings-query.ts";
import { Button } from "../../../components/button.tsx";
import { UrlField } from "../../../components/fields/url-field.tsx";
import { formatDuration } from "../../../text/format-duration.ts";
import { copyUrl } from "../actions/copy-url.ts";

/** The URL of a file. The URL of a private file opens nothing without a key, so it comes after a signed one. */
export function FileUrl({ file }: { readonly file: FileObject }) {
  const { data } = useQuery(settingsQuery);
  const url = holdall.url(file);
  if (file.visibility === "public") return <UrlField label="URL" url={url} />;
  const seconds = data?.defaultPresignSeconds.value;
  return (
    <div className="flex flex-col gap-3">
      <Button size="sm" Icon={Link} className="self-start" onClick={() => void copyUrl(file)}>
        Copy link{seconds !== undefined && ` (works for ${formatDuration(seconds)})`}
      </Button>
      <UrlField
        label="URL with an API key"
        url={url}
        hint="This URL needs a key, because the file is private."
      />
    </div>
  );
}
