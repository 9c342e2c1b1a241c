import { CodeXml, Link } from "lucide-react";
import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/connection/client.ts";
import { Button } from "../../../components/button.tsx";
import { UrlField } from "../../../components/fields/url-field.tsx";
import { copyUrl } from "../actions/copy-url.ts";
import { NEEDS } from "../actions/needs.ts";

export interface FileUrlProps {
  readonly file: FileObject;
  readonly onEmbed?: () => void;
}

/** The URL of a file. The URL of a private file opens nothing without a key, so it comes after a link. */
export function FileUrl({ file, onEmbed }: FileUrlProps) {
  const url = holdall.url(file);
  const embed = onEmbed && (
    <Button size="sm" Icon={CodeXml} className="self-start" onClick={onEmbed}>
      Embed…
    </Button>
  );
  if (file.visibility === "public") {
    return (
      <div className="flex flex-col gap-2">
        <UrlField isCut label="URL" url={url} />
        {embed}
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-3">
      <Button
        size="sm"
        needs={NEEDS.share}
        Icon={Link}
        className="self-start"
        onClick={() => void copyUrl(file)}
      >
        Copy link
      </Button>
      <UrlField
        isCut
        label="URL with an API key"
        url={url}
        hint="This URL needs a key, because the file is private."
      />
      {embed}
    </div>
  );
}
