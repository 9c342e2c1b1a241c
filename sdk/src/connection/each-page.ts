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

/** Yields the items of all pages, which are in a field of each. */
export async function* eachItem<
  Field extends string,
  Item,
  Options extends { readonly cursor?: string | undefined },
>(
  field: Field,
  read: (options: Options) => Promise<PageOf<Field, Item>>,
  options: Options,
): AsyncGenerator<Item, void> {
  for await (const page of eachPage(read, options)) yield* page[field];
}

type PageOf<Field extends string, Item> = { readonly nextCursor: string | null } & {
  readonly [Name in Field]: readonly Item[];
};
