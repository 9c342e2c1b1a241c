import { bareType, mediaType } from "../../domain/media.ts";

/** The media type of an object: the declared one if it is well-formed, else that of the name. */
export const objectType = (name: string, declared: string | null | undefined): string =>
  bareType(declared ?? "") ?? mediaType(name);
