import { copyRemote } from "../../cli/src/commands/cp.ts";
import { foldersRemote } from "../../cli/src/commands/folders.ts";
import { getRemote } from "../../cli/src/commands/get.ts";
import { linkRemote } from "../../cli/src/commands/link.ts";
import { listenRemote } from "../../cli/src/commands/listen.ts";
import { listRemote } from "../../cli/src/commands/ls.ts";
import { moveRemote } from "../../cli/src/commands/mv.ts";
import { putRemote } from "../../cli/src/commands/put.ts";
import { removeRemote } from "../../cli/src/commands/rm.ts";
import { linksRemote } from "../../cli/src/commands/share.ts";
import { trashRemote } from "../../cli/src/commands/trash.ts";
import { undoRemote } from "../../cli/src/commands/undo.ts";
import { type RemoteSession, runRemote } from "../../cli/src/run-remote.ts";
import type { Command } from "./command.ts";
import type { Options } from "./read-arguments.ts";

/** The commands for the server at HOLDALL_URL, by name. */
export const remoteCommands: Readonly<Record<string, Command>> = {
  put: {
    usage: {
      "put PATH|URL… [--to KEY] [--visibility public|private] [--on-conflict refuse|replace|keepBoth|skip] [--expires-in S]":
        "upload files and folders to the server at HOLDALL_URL, with the API key in HOLDALL_KEY. The files of a folder appear together; the server itself fetches a URL. After an interruption, the same command continues. This and the following commands print JSON lines if standard output is not a terminal; --json and --text choose",
    },
    options: ["json", "text", "to", "visibility", "on-conflict", "expires-in"],
    run: remote(putRemote),
  },
  listen: {
    usage: {
      "listen URL [--folder KEY] [--secret SECRET]":
        "send each change of files and folders to a local URL, as a webhook would, until it is interrupted",
    },
    options: ["json", "text", "folder", "secret"],
    run: remote(listenRemote),
  },
  ls: {
    usage: { "ls [KEY]": "list a folder of that server, or show a file" },
    options: ["json", "text"],
    run: remote(listRemote),
  },
  folders: {
    usage: {
      "folders quota [KEY] [--max-bytes N|none] [--max-files N|none]":
        "show the quotas of folders and what is used of them, or set the limits of a folder directly below the root, such as 10G; none: no limit",
    },
    options: ["json", "text", "max-bytes", "max-files"],
    run: remote(foldersRemote),
  },
  get: {
    usage: {
      "get KEY [PATH] [--on-conflict refuse|replace|skip]":
        "download a file, or a folder with everything in it, and compare it with its digest. Continues an interrupted download",
    },
    options: ["json", "text", "on-conflict"],
    run: remote(getRemote),
  },
  mv: {
    usage: {
      "mv KEY KEY [--on-conflict refuse|replace|keepBoth|skip] [--dry-run]":
        "rename or move a file or a folder, into a folder if it exists. --dry-run, here and below: say what would be done, and change nothing",
    },
    options: ["json", "text", "on-conflict", "dry-run"],
    run: remote(moveRemote),
  },
  cp: {
    usage: {
      "cp KEY KEY [--on-conflict refuse|replace|keepBoth|skip] [--dry-run]":
        "copy a file, or a folder with everything in it, on that server; into a folder if it exists",
    },
    options: ["json", "text", "on-conflict", "dry-run"],
    run: remote(copyRemote),
  },
  rm: {
    usage: {
      "rm KEY… [--recursive] [--forever] [--dry-run]":
        "move files and, with --recursive, folders with everything in them to the trash, or delete them permanently",
    },
    options: ["json", "text", "recursive", "forever", "dry-run"],
    run: remote(removeRemote),
  },
  undo: {
    usage: {
      "undo [ID…] [--dry-run]":
        "restore what the last `rm` on this machine, or the deletions with these ids, moved to the trash",
      "undo --by ID --since WHEN [--until WHEN] [--folder KEY] [--dry-run]":
        "take back what an API key or an account did since: deletions, replaced content, moves, names, visibility and headers. WHEN: how long ago, such as 2h, or a time. What others changed since stays, and is told",
    },
    options: ["json", "text", "dry-run", "by", "since", "until", "folder"],
    run: remote(undoRemote),
  },
  trash: {
    usage: {
      "trash [--empty] [--dry-run]":
        "list the trash with the ids of the deletions, or empty it permanently",
    },
    options: ["json", "text", "empty", "dry-run"],
    run: remote(trashRemote),
  },
  link: {
    usage: {
      "link KEY [--expires-in SECONDS]":
        "print a signed URL, which reads a file without an API key until it expires",
      "link KEY --share [--password TEXT] [--uses N] [--expires WHEN] [--title TEXT] [--download-only] [--drop]":
        "print a link to a file or folder that can be revoked; each of these options implies --share. --expires: a duration, such as 7d, or a time, such as 2027-01-31. --drop: visitors send files into the folder",
      "link KEY --revoke": "revoke all links to a file or folder",
    },
    options: [
      ...["json", "text", "expires-in", "expires", "share", "password", "uses", "title"],
      ...["download-only", "drop", "revoke"],
    ] as const,
    run: remote(linkRemote),
  },
  links: {
    usage: { "links [KEY]": "list the links, or those to a file or folder, with their visits" },
    options: ["json", "text"],
    run: remote(linksRemote),
  },
};

type RemoteCommand = (
  session: RemoteSession,
  rest: readonly string[],
  options: Options,
) => Promise<number>;

/** Runs a command that works on the server at HOLDALL_URL. */
function remote(work: RemoteCommand): Command["run"] {
  return ({ remoteServer, rest, options }) =>
    runRemote(remoteServer, options, (session) => work(session, rest, options));
}
