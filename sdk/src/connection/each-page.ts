export const DEFAULT_PAGE_SIZE = 100;

/** Yields all pages, each requested when it is needed. */
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
