import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refused, refuse } from '../../server/contract/index.ts';
import type { Faults } from './faults.ts';

/** The path of the controls, which no path of the contract begins with. */
export const controlPath = '/__mock';
/** Below it, what only a mock with state has. */
export const statefulControls = ['/reset', '/clock', '/webhooks', '/mail'];
/** The path of the example frontend. */
export const frontendPath = `${controlPath}/frontend/`;

/** @returns whether it has responded to the request */
export type Page = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

export interface Control {
  /** One line for the page of the mock. */
  effect: string;
  /** Returns the response body. */
  run(body: Record<string, unknown>): Promise<object>;
}

/**
 * The controls that every mock has, by `METHOD /path`.
 *
 * @param describe what `GET /__mock` returns
 */
export function commonControls(faults: Faults, describe: () => object): Record<string, Control> {
  const all = async () => ({ faults: faults.list() });
  return {
    'GET ': { effect: 'describes the mock as JSON; a page for browsers', run: async () => describe() },
    'GET /faults': { effect: 'lists the faults', run: all },
    'POST /faults': {
      effect: 'adds a fault',
      async run(fault) {
        faults.add(fault);
        return all();
      },
    },
    'DELETE /faults': {
      effect: 'deletes all faults',
      async run() {
        faults.clear();
        return all();
      },
    },
  };
}

export const invalidControl = (pointer: string, message: string): Refused =>
  new Refused(refuse(400, 'body_invalid', { message, pointer }));
