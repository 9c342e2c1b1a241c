// biome-ignore lint/performance/noBarrelFile: this is the entry `@holdall/sdk/upload`.
export { HoldallError } from "./connection/error.ts";
export type { Fetch } from "./connection/options.ts";
export type { Progress } from "./files/upload.ts";
export type { Source } from "./files/upload-source.ts";
export { type DroppedFile, droppedFiles } from "./uploads/dropped-files.ts";
export { type ResumeEntry, type ResumeStore, resumeEntry } from "./uploads/resume-store.ts";
export type { SendOptions } from "./uploads/send-upload.ts";
export { cancelUploadTo, type SendContentOptions, uploadTo } from "./uploads/upload-to.ts";
export type { UploadedFile } from "./uploads/upload-url.ts";
