import { nextPage, type Seen } from './lists.ts';

/** Data with the response that it came from. Its body has been read, unless the data is a stream. */
export interface WithResponse<Data> {
  data: Data;
  headers: Headers;
  /** The `Request-Id` header. Quote it when you contact support. */
  requestId: string | undefined;
  response: Response;
}

/** The data of a call. The request is sent at once, whether or not the promise is awaited. */
export interface ApiPromise<Data> extends Promise<Data> {
  /** The data together with the headers and the request ID of its response. */
  withResponse(): Promise<WithResponse<Data>>;
}

/** A list: `await` returns its first page, and `for await` iterates over the items of all pages. */
export interface ListPromise<Page> extends ApiPromise<Page>, AsyncIterable<ItemOf<Page>> {}

/** The items of a list: those of the array, or of every array in an object. */
export type ItemOf<Page> = Page extends readonly (infer Item)[]
  ? Item
  : { [Name in keyof Page]-?: Page[Name] extends readonly (infer Item)[] ? Item : never }[keyof Page];

class Result<Data> extends Promise<Data> implements ApiPromise<Data> {
  readonly #result: Promise<WithResponse<Data>>;

  /** Promises that are derived from this one are ordinary. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  constructor(result: Promise<WithResponse<Data>>) {
    // Only `then` is ever used: a rejection of `result` must not be reported for a promise that nobody reads.
    super((resolve) => resolve(undefined as never));
    this.#result = result;
  }

  withResponse(): Promise<WithResponse<Data>> {
    return this.#result;
  }

  // biome-ignore lint/suspicious/noThenProperty: a subclass of Promise
  override then<Fulfilled = Data, Rejected = never>(
    onFulfilled?: ((data: Data) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.#result.then(({ data }) => data).then(onFulfilled, onRejected);
  }
}

export function apiPromise<Data>(result: Promise<WithResponse<Data>>): ApiPromise<Data> {
  return new Result(result);
}

/** @param fetchPage is called at once for the first page, and for each other one when the previous one is used up */
export function listPromise<Page>(
  fetchPage: (next?: object) => Promise<WithResponse<Page>>,
): ListPromise<Page> {
  const first = fetchPage();
  async function* items(): AsyncGenerator<ItemOf<Page>, void> {
    const seen: Seen = new Set();
    for (let result = first; ; ) {
      const { data: page } = await result;
      yield* Array.isArray(page)
        ? page
        : Object.values(page as object)
            .filter(Array.isArray)
            .flat();
      const next = nextPage(page as object, seen);
      if (!next) return;
      result = fetchPage(next);
    }
  }
  return Object.assign(new Result(first), { [Symbol.asyncIterator]: items });
}
