/** What goes wrong with requests, until it has happened `times` times or is deleted. */
export interface Fault {
  /** The operationId that it applies to. Default: all. */
  operation?: string;
  /** The status of the response, 400 to 599: with the contract's example, or with HTML as of a proxy. */
  status?: number;
  /** The name of an example of the `operation`, which has its status, such as `parametersMismatch`. */
  example?: string;
  /** The `Retry-After` of a status that documents one, in seconds, up to 3,600. Default: 1. */
  retryAfterSeconds?: number;
  /** Seconds before the request is handled, up to 60. */
  delaySeconds?: number;
  /** Seconds over which the body of the request is read, up to 60: for the progress of uploads. */
  uploadSeconds?: number;
  /** Seconds over which the body of the response is sent, up to 60. */
  bodySeconds?: number;
  /** Close the connection instead of handling the request, or after handling it instead of sending the response. */
  drop?: 'request' | 'response';
  /** How many requests are left. Default: no limit. */
  times?: number;
  /** The share of requests that it applies to, above 0 and up to 1. Default: 1. */
  share?: number;
}
