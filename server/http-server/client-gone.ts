import type { ServerResponse } from 'node:http';

/** The client closed the connection before its request was carried out: it may have sent another request since. */
export class ClientGone extends Error {
  override name = 'ClientGone';
  /** The status that is logged, as in nginx. */
  static readonly status = 499;
}

/**
 * Called when a change begins, because it may have waited for its body and for a connection to the database.
 *
 * @throws ClientGone
 */
export function assertClientWaits({ destroyed }: Pick<ServerResponse, 'destroyed'>): void {
  if (destroyed) throw new ClientGone();
}

/** A signal that is aborted with `ClientGone` if the client closes the connection before the end of the response. */
export function clientSignal(response: Pick<ServerResponse, 'destroyed' | 'once'>): AbortSignal {
  const gone = new AbortController();
  const abort = () => gone.abort(new ClientGone());
  if (response.destroyed) abort();
  else response.once('close', abort);
  return gone.signal;
}
