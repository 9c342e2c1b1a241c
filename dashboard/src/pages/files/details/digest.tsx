import { CopyButton } from "../../../components/copy-button.tsx";

/** A SHA-256 digest in hexadecimal, to copy; null: not computed yet. */
export function Digest({ sha256 }: { readonly sha256: string | null }) {
  if (sha256 === null) {
    return <p className="text-muted text-sm">Not computed yet: the scrub adds it.</p>;
  }
  return (
    <div className="flex items-start gap-2">
      <code className="min-w-0 break-all text-xs">{sha256}</code>
      <CopyButton text={sha256} label="SHA-256" />
    </div>
  );
}
