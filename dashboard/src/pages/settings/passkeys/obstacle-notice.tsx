import { currentPath, withBasePath } from "../../../app/navigation/location.ts";
import { Notice } from "../../../components/notice.tsx";
import type { Obstacle } from "../../../passkeys/find-obstacle.ts";

/** Says why no passkey can be added on this page, and what to do. */
export function ObstacleNotice({ obstacle }: { readonly obstacle: Obstacle }) {
  return (
    <Notice tone="info">
      {obstacle === "address" && <AddressText />}
      {obstacle === "insecure" &&
        "Passkeys need HTTPS. Open this page at an address that starts with https://."}
      {obstacle === "browser" && "This browser doesn't support passkeys. Try another one."}
    </Notice>
  );
}

function AddressText() {
  if (!/^127\.|^\[::1\]$/.test(location.hostname)) {
    return `Passkeys need a host name. Open this page at a name instead of ${location.hostname}.`;
  }
  const port = location.port === "" ? "" : `:${location.port}`;
  const path = withBasePath(currentPath());
  return (
    <>
      Passkeys need a host name. Open this page at{" "}
      <a
        href={`${location.protocol}//localhost${port}${path}`}
        className="text-accent underline underline-offset-4"
      >
        localhost{port}
      </a>{" "}
      and sign in there.
    </>
  );
}
