/**
 * Why a call was not made:
 * - `address_malformed`: no absolute URL
 * - `scheme_not_allowed`: neither http nor https
 * - `credentials_in_address`: a user name or password in the URL
 * - `address_not_public`: the host is, or resolves to, an address that is not of the public internet
 */
export type RefusalReason =
  | 'address_malformed'
  | 'scheme_not_allowed'
  | 'credentials_in_address'
  | 'address_not_public';

/** A call that was not made because of where it was to go. Nothing has left this machine but a name look-up. */
export class OutboundRefused extends Error {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string) {
    super(message);
    this.name = 'OutboundRefused';
    this.reason = reason;
  }
}

/**
 * How a call that was allowed came to nothing:
 * - `timeout`: no whole answer in time
 * - `host_unknown`: the name does not resolve
 * - `connection_failed`: refused, reset, unreachable, or not HTTP
 * - `certificate_invalid`: TLS would not vouch for the host
 * - `answer_too_large`: the body is larger than was allowed
 */
export type FailureReason =
  | 'timeout'
  | 'host_unknown'
  | 'connection_failed'
  | 'certificate_invalid'
  | 'answer_too_large';

/** A call that got no usable answer. Whether the other side acted on it is not known. */
export class OutboundFailed extends Error {
  readonly reason: FailureReason;

  constructor(reason: FailureReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OutboundFailed';
    this.reason = reason;
  }
}

const unknownHost = ['ENOTFOUND', 'ENODATA', 'EAI_AGAIN', 'EAI_NONAME', 'EAI_FAIL', 'ESERVFAIL', 'EBADNAME'];
const slow = ['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT'];
const certificate = /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)|HOSTNAME_)/;

/**
 * Names what the HTTP client threw: ours as it is, everything else as `OutboundFailed`. The messages reach the authors
 * of definitions, so they never repeat the client's own, which may hold the resolved address; `cause` has it.
 */
export function failureOf(error: unknown): OutboundRefused | OutboundFailed {
  if (error instanceof OutboundRefused || error instanceof OutboundFailed) return error;
  const { name, code = '' } = error as { name?: string; code?: string };
  const told = (reason: FailureReason, text: string) => new OutboundFailed(reason, text, { cause: error });
  if (name === 'TimeoutError') return told('timeout', 'There was no answer in time.');
  if (slow.includes(code)) return told('timeout', 'The connection was not made in time.');
  if (code === 'ETIMEOUT') return told('host_unknown', 'The name could not be resolved in time.');
  if (unknownHost.includes(code)) return told('host_unknown', 'The name does not resolve.');
  if (certificate.test(code)) return told('certificate_invalid', `The certificate is not valid: ${code}.`);
  if (name === 'HTTPParserError') return told('connection_failed', 'The response is not HTTP.');
  return told('connection_failed', `The connection failed: ${code || 'unknown reason'}.`);
}
