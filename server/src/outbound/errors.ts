/**
 * Why a request was refused:
 * - `address_malformed`: not an absolute URL
 * - `scheme_not_allowed`: neither http nor https
 * - `credentials_in_address`: the URL contains a user name or password
 * - `address_not_public`: the host is or resolves to an address outside the public internet
 */
type RefusalReason =
  | 'address_malformed'
  | 'scheme_not_allowed'
  | 'credentials_in_address'
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

/**
 * Why a request failed:
 * - `timeout`: no complete response before the timeout
 * - `host_unknown`: the name does not resolve
 * - `connection_failed`: refused, reset, unreachable, or not HTTP
 * - `certificate_invalid`: the TLS certificate of the host is not valid
 * - `response_too_large`: the body exceeds the limit
 */
type FailureReason =
  | 'timeout'
  | 'host_unknown'
  | 'connection_failed'
  | 'certificate_invalid'
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

const unknownHostCodes = [
  'ENOTFOUND',
  'ENODATA',
  'EAI_AGAIN',
  'EAI_NONAME',
  'EAI_FAIL',
  'ESERVFAIL',
  'EBADNAME',
];
const timeoutCodes = [
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
];
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
  if (timeoutCodes.includes(code)) return failed('timeout', 'The connection timed out.');
  if (code === 'ETIMEOUT') return failed('host_unknown', 'Resolving the name timed out.');
  if (unknownHostCodes.includes(code)) return failed('host_unknown', 'The name does not resolve.');
  if (certificateCode.test(code))
    return failed('certificate_invalid', `The certificate is not valid: ${code}.`);
  if (name === 'HTTPParserError') return failed('connection_failed', 'The response is not HTTP.');
  return failed('connection_failed', `The connection failed: ${code || 'unknown reason'}.`);
}
