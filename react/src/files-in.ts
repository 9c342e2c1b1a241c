import { droppedFiles } from "../../sdk/src/upload-only.ts";

/** A file that the user has chosen. */
export interface FileToUpload {
  readonly file: File;
  /** Its path in a chosen folder, such as `holiday/beach.jpg`; otherwise its name. */
  readonly path: string;
  readonly name: string;
  /** Media type, as the browser knows it; it can be empty. */
  readonly type: string;
  /** In bytes. */
  readonly size: number;
}

/** A `FileList`, an array of files, or the `dataTransfer` of a drop or a paste. */
export type FileChoice = Iterable<File> | DataTransfer;

/** The files of a choice. Call it during the event, as the browser empties a `DataTransfer` afterwards. */
export function filesIn(choice: FileChoice): AsyncIterable<FileToUpload> {
  const given = isTransfer(choice) ? droppedFiles(choice) : filesOf(choice);
  return (async function* () {
    for await (const { path, content } of given) {
      const { name, type, size } = content;
      yield { file: content, path, name, type, size };
    }
  })();
}

/** A `FileList` is emptied when its input is. */
const filesOf = (files: Iterable<File>) =>
  [...files].map((content) => ({
    path: content.webkitRelativePath || content.name,
    content,
  }));

const isTransfer = (choice: FileChoice): choice is DataTransfer => "items" in choice;
