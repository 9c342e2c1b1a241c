import { z } from "zod";
import { quote } from "../../../contract/text/quote-shell.ts";
import { text } from "../../../contract/text.ts";
import { newVisibility, onConflict, path, pathOfFile, placeOf, wholeNumber } from "./arguments.ts";
import { decodeContent, MAX_WRITTEN_BYTES } from "./decode-content.ts";
import { defineTool, findFileAt, type Tool } from "./tool.ts";

const WEEK_SECONDS = 7 * 24 * 60 * 60;
const MAX_SECONDS = 10 * 365 * 24 * 60 * 60;

const expiresIn = (description: string) => wholeNumber(1, MAX_SECONDS, description).optional();

const wantedPath = path("the new file").meta({
  description: "Path of the new file. Missing folders are created.",
});

/** Tools for the bytes of files, most of which do not pass through the model. */
export const transferTools: readonly Tool[] = [
  defineTool({
    name: "write_text",
    title: "Write a small file",
    description: `Stores a file of up to ${MAX_WRITTEN_BYTES / 1024} KB from \`text\`, or from \`base64\` with its \`size\`. For larger files use \`request_upload\`.`,
    input: z.object({
      path: wantedPath,
      text: text("the content, as a string").optional().meta({ description: "The content." }),
      base64: text("the content, as base64").optional().meta({
        description: "The content as standard base64 with padding, instead of `text`.",
      }),
      size: wholeNumber(
        0,
        1e15,
        "Number of bytes of the file. Required with `base64`, so that nothing is stored that was cut.",
      ).optional(),
      visibility: newVisibility,
      onConflict,
    }),
    needs: ["putContent"],
    annotations: { destructiveHint: true },
    run: ({ path: key, visibility, onConflict, ...given }, { call }) =>
      call("putContent", {
        query: { key, visibility, onConflict },
        content: decodeContent(given),
      }),
  }),
  defineTool({
    name: "request_upload",
    title: "Get a URL to upload a file",
    description:
      "Returns a URL to which one file can be sent without a key, and a curl command that does it. Run the command where the file is, with its path in place of FILE. Use `info` with the URL to see whether it has arrived.",
    input: z.object({
      path: wantedPath,
      size: wholeNumber(0, 1e15, "Size of the file in bytes, if you know it.").optional(),
      sha256: text("a SHA-256 digest")
        .optional()
        .meta({ description: "SHA-256 of the file: one with another digest is not stored." }),
      visibility: newVisibility,
      onConflict,
      expiresIn: expiresIn("Seconds for which the URL can be used. Default: as set by the server."),
    }),
    needs: ["createUpload"],
    annotations: { destructiveHint: true },
    async run({ path: given, ...options }, { call, absolute }) {
      const { folder, name } = placeOf("path", given);
      const { upload } = await call("createUpload", { body: { ...options, folder, name } });
      const url = absolute(upload.url);
      return { upload: { ...upload, url }, curl: uploadCommand(url) };
    },
  }),
  defineTool({
    name: "save_from_url",
    title: "Save a file from a URL",
    description:
      "Makes the server fetch a file from a URL in the background. Use `info` with the URL of the returned upload to see how far it is.",
    input: z.object({
      url: text("the URL of a file").meta({
        description: "Where the file is, with http:// or https://.",
      }),
      path: wantedPath,
      sha256: text("a SHA-256 digest")
        .optional()
        .meta({ description: "SHA-256 of the file: one with another digest is not stored." }),
      visibility: newVisibility,
      onConflict,
    }),
    needs: ["fetchFiles"],
    setting: "fetchByKeys",
    annotations: { destructiveHint: true, openWorldHint: true },
    async run({ path: given, ...options }, { call }) {
      const { folder, name } = placeOf("path", given);
      const { uploads } = await call("fetchFiles", { body: { ...options, folder, name } });
      return { upload: uploads[0] };
    },
  }),
  defineTool({
    name: "request_download",
    title: "Get a URL to download a file",
    description:
      "Returns a URL from which anyone can download the file until it expires, and a curl command that does it. It cannot be revoked before: keep it short.",
    input: z.object({
      path: pathOfFile,
      expiresIn: expiresIn("Seconds for which the URL can be used. Default: as set by the server."),
    }),
    needs: ["signFile"],
    async run({ path: key, expiresIn }, { call, absolute }) {
      const signed = await call("signFile", { body: { key, expiresIn } });
      if (!("url" in signed)) throw new Error("A file by its key has one URL.");
      const url = absolute(signed.url);
      return { ...signed, url, curl: downloadCommand(url, key) };
    },
  }),
  defineTool({
    name: "link",
    title: "Make a link for people",
    description:
      "Makes a link that shows a file, or everything in a folder, to anyone who has it, or with `kind: drop` lets them send files into a folder. It can be revoked in the dashboard.",
    input: z.object({
      path: path("a file or folder").meta({ description: "Path of the file or folder to share." }),
      kind: z.enum(["read", "drop"], { error: "must be `read` or `drop`" }).optional().meta({
        description:
          "`read` (default): visitors see the file or folder. `drop`: they send files into the folder, and see nothing.",
      }),
      title: text("a title")
        .optional()
        .meta({ description: "Shown to visitors instead of the name." }),
      password: text("a password").optional().meta({ description: "Visitors need it." }),
      expiresIn: wholeNumber(
        1,
        MAX_SECONDS,
        "Seconds until the link ends. Default: 7 days.",
      ).default(WEEK_SECONDS),
      uses: wholeNumber(
        1,
        1e9,
        "How many visits the link is good for. Default: any number.",
      ).optional(),
    }),
    needs: ["createLink"],
    annotations: { openWorldHint: true },
    async run({ path: key, ...options }, context) {
      const file = await findFileAt(context, key);
      const subject = file === undefined ? { folder: key } : { fileId: file.id };
      return context.call("createLink", { body: { ...options, ...subject } });
    },
  }),
];

/** The fields of the IETF draft: unlike those of tus, they need no size. */
const uploadCommand = (url: string): string =>
  `curl -X PATCH -T FILE -H 'Content-Type: application/partial-upload' -H 'Upload-Offset: 0' -H 'Upload-Complete: ?1' ${quote(url)}`;

/** A name may begin with a hyphen. */
function downloadCommand(url: string, key: string): string {
  const name = key.slice(key.replace(/\/+$/, "").lastIndexOf("/") + 1);
  return `curl -f -o ${quote(`./${name}`)} ${quote(url)}`;
}
