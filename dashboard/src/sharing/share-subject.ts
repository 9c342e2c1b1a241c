import type { FileObject, FolderObject } from "../../../sdk/src/holdall.ts";

/** The shared file or folder. */
export type ShareSubject =
  | { readonly kind: "file"; readonly file: FileObject }
  | { readonly kind: "folder"; readonly folder: FolderObject };

export const subjectName = (subject: ShareSubject): string =>
  subject.kind === "file" ? subject.file.name : subject.folder.name || "Files";

/** The subject in a request. */
export const subjectIds = (subject: ShareSubject): { fileId: string } | { folderId: string } =>
  subject.kind === "file" ? { fileId: subject.file.id } : { folderId: subject.folder.id };
