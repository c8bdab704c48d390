import type { Outbound } from '../../../outbound/index.ts';
import { invalid, onlyFields } from './arguments.ts';
import { ownHeaders, requestFields, send } from './http-call.ts';
import type { Task } from './task.ts';

/**
 * `wrp:callback:wait`: waits until another system calls `POST /callbacks/{token}` with the step's token,
 * `$states.context.Task.Token`. Arguments: `request`, which is sent first, as for `wrp:http:call`, with the URL of the
 * callback in the header `Callback-Url`. Result: the callback's `output`.
 *
 * Fails with the callback's `error`; with the error of the request; with `States.Timeout` after TimeoutSeconds; with
 * `States.HeartbeatTimeout` if HeartbeatSeconds pass without a `POST /callbacks/{token}/heartbeat`.
 *
 * @param baseUrl the public URL of the platform
 */
export function callbackWait(outbound: Pick<Outbound, 'request'>, baseUrl: string): Task {
  return {
    kind: 'callback',
    hasRequest: (args) => typeof args === 'object' && args !== null && 'request' in args,
    async request(args, attempt, { signal, token }) {
      onlyFields(args, ['request']);
      const { request } = args;
      if (typeof request !== 'object' || request === null || Array.isArray(request)) {
        throw invalid('‘request’ must be an object.');
      }
      onlyFields(request, requestFields);
      const headers = { ...ownHeaders(attempt), 'callback-url': `${baseUrl}/callbacks/${token}` };
      await send(outbound, request, headers, signal);
    },
  };
}
