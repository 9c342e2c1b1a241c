/** How many there are on a page that names no limit. */
export const PAGE = 100;

/** Page after page, each asked for when it is its turn. */
export async function* eachPage<
  Options extends { readonly cursor?: string | undefined },
  Page extends { readonly nextCursor: string | null },
>(read: (options: Options) => Promise<Page>, options: Options): AsyncGenerator<Page, void> {
  for (let cursor: string | null = options.cursor ?? ""; cursor !== null; ) {
    const page: Page = await read({ ...options, cursor });
    yield page;
    cursor = page.nextCursor;
  }
}
