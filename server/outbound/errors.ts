/** Why a request was refused. */
type RefusalReason =
  /** Not an absolute URL. */
  | 'address_malformed'
  /** Neither http nor https. */
  | 'scheme_not_allowed'
  /** The URL contains a user name or password. */
  | 'credentials_in_address'
  /** The host is or resolves to an address outside the public internet. */
  | 'address_not_public';

/** The request was not sent because of its URL. At most the name was resolved. */
export class OutboundRefused extends Error {
  override name = 'OutboundRefused';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Why a request failed. */
type FailureReason =
  /** No complete response before the timeout. */
  | 'timeout'
  /** The name does not resolve. */
  | 'host_unknown'
  /** Refused, reset, unreachable, or not HTTP. */
  | 'connection_failed'
  /** The TLS certificate of the host is not valid. */
  | 'certificate_invalid'
  /** The body exceeds the limit. */
  | 'response_too_large';

/** There is no usable response. The receiver may or may not have processed the request. */
export class OutboundFailed extends Error {
  override name = 'OutboundFailed';
  readonly reason: FailureReason;

  constructor(reason: FailureReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

const unknownHostCode = /^(ENOTFOUND|ENODATA|EAI_(AGAIN|NONAME|FAIL)|ESERVFAIL|EBADNAME)$/;
const timeoutCode = /^(UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT|ETIMEDOUT)$/;
const certificateCode =
  /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)|HOSTNAME_)/;

/**
 * Converts an error of the HTTP client. The messages are shown to the authors of workflow definitions, so they do not
 * repeat the client's message, which may contain the resolved address; `cause` has it.
 */
export function toOutboundError(error: unknown): OutboundRefused | OutboundFailed {
  if (error instanceof OutboundRefused || error instanceof OutboundFailed) return error;
  const { name, code = '' } = error as { name?: string; code?: string };
  const failed = (reason: FailureReason, message: string) =>
    new OutboundFailed(reason, message, { cause: error });
  if (name === 'TimeoutError') return failed('timeout', 'There was no response before the timeout.');
  if (timeoutCode.test(code)) return failed('timeout', 'The connection timed out.');
  if (code === 'ETIMEOUT') return failed('host_unknown', 'Resolving the name timed out.');
  if (unknownHostCode.test(code)) return failed('host_unknown', 'The name does not resolve.');
  if (certificateCode.test(code))
    return failed('certificate_invalid', `The certificate is not valid: ${code}.`);
  if (name === 'HTTPParserError') return failed('connection_failed', 'The response is not HTTP.');
  return failed('connection_failed', `The connection failed: ${code || 'unknown reason'}.`);
}
