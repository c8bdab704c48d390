/** A success whose body is not the JSON that it should be: most often the page of a proxy, or of a sign-in. */
export class UnreadableAnswerError extends SyntaxError {
  override readonly name = 'UnreadableAnswerError';
  /** The HTTP status, that of a success. */
  readonly status: number;
  /** The `Request-Id` header; absent where the answer does not come from the platform. */
  readonly requestId: string | undefined;
  /** The answer itself, for its headers and its `url`; its body has been read. */
  readonly response: Response;

  constructor(response: Response, cause: SyntaxError) {
    const { status, url, headers } = response;
    const type = headers.get('Content-Type') ?? 'without a type';
    super(`HTTP ${status} from ${url} is not JSON (${type}): ${cause.message}`, { cause });
    this.status = status;
    this.requestId = headers.get('Request-Id') ?? undefined;
    this.response = response;
  }
}
