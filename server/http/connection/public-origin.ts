/** The origin of the public URL. null: each request has its own. */
export const publicOriginOf = (publicUrl: string | null): string | null =>
  publicUrl === null ? null : new URL(publicUrl).origin;
