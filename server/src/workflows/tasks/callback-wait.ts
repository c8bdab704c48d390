import type { Outbound } from '../../outbound/outbound.ts';
import { invalid, onlyFields } from './arguments.ts';
import { requestFields, send } from './http-call.ts';
import type { Task } from './task.ts';

/**
 * `wrp:callback:wait`: waits until an outside system answers the step's token, `$states.context.Task.Token`, at
 * `POST /callbacks/{token}`. Arguments: `request`, made before, as `wrp:http:call` takes it; the one who receives
 * it finds where to answer in the header `Callback-Url`. Result: the answer's `output`.
 *
 * Fails with the answer's `error`, `States.Timeout` when TimeoutSeconds are over, `States.HeartbeatTimeout` when
 * HeartbeatSeconds pass without a `POST /callbacks/{token}/heartbeat`; with what the request fails with.
 *
 * @param baseUrl how the platform is reached from outside
 */
export function callbackWait(outbound: Pick<Outbound, 'request'>, baseUrl: string): Task {
  return {
    kind: 'callback',
    hasRequest: (given) => typeof given === 'object' && given !== null && 'request' in given,
    async request(given, { idempotencyKey }, { signal, token }) {
      onlyFields(given, ['request']);
      const { request } = given;
      if (typeof request !== 'object' || request === null || Array.isArray(request)) {
        throw invalid('‘request’ must be an object.');
      }
      onlyFields(request, requestFields);
      const headers = { 'idempotency-key': idempotencyKey, 'callback-url': `${baseUrl}/callbacks/${token}` };
      await send(outbound, request, headers, signal);
    },
  };
}
