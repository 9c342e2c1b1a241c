export type Envelope<Data> =
  | { data: Data; error: null }
  | { data: null; error: { message: string } };
