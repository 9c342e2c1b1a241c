import { type ReactNode, useState } from "react";
import type { LinkObject } from "../../../sdk/src/holdall.ts";
import { EditLinkDialog } from "./edit-link-dialog.tsx";
import { LinkRow } from "./link-row.tsx";
import { RevokeLinkDialog } from "./revoke-link-dialog.tsx";

type Opened = { readonly link: LinkObject; readonly dialog: "edit" | "revoke" };

/**
 * Rows for links, and the dialogs that they open. The dialogs are separate, because a dialog must not
 * be rendered inside the form of another.
 */
export function useLinkList(
  showsSubject: boolean,
  onRevoked?: (link: LinkObject) => void,
): {
  readonly rows: (links: readonly LinkObject[]) => ReactNode;
  readonly open: (link: LinkObject, dialog: Opened["dialog"]) => void;
  readonly dialogs: ReactNode;
} {
  const [opened, setOpened] = useState<Opened>();
  const onClose = () => setOpened(undefined);
  return {
    open: (link, dialog) => setOpened({ link, dialog }),
    rows: (links) => (
      <ul>
        {links.map((link) => (
          <LinkRow
            key={link.id}
            link={link}
            showsSubject={showsSubject}
            onEdit={() => setOpened({ link, dialog: "edit" })}
            onRevoke={() => setOpened({ link, dialog: "revoke" })}
          />
        ))}
      </ul>
    ),
    dialogs:
      opened === undefined ? null : opened.dialog === "edit" ? (
        <EditLinkDialog link={opened.link} onClose={onClose} />
      ) : (
        <RevokeLinkDialog link={opened.link} onRevoked={onRevoked} onClose={onClose} />
      ),
  };
}
