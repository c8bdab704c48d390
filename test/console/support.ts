import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createConsole } from '../../server/src/console/server.ts';
import type { Api } from '../support/api.ts';
import { send } from '../support/local-servers.ts';
import { atEnd } from '../support/temporary.ts';

export interface OpenConsole {
  base: string;
  /** The path of the link. */
  linkPath: string;
  /** The cookie of a browser that has opened the link. */
  cookie: string;
  /** What was reported to the operator. */
  reports: unknown[];
  /** As the browser that is signed in. */
  get(path: string, headers?: Record<string, string | undefined>): Promise<Response>;
  /** Sends a form as its page does. */
  post(
    path: string,
    fields: Record<string, string>,
    headers?: Record<string, string | undefined>,
  ): Promise<Response>;
  /** Loads a page, and sends the form on it that has this action. */
  submit(page: string, action: string, fields?: Record<string, string>): Promise<Response>;
}

interface Response {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

interface Options {
  /** Default: true. */
  actions?: boolean;
  only?: string;
  /** Default: true. */
  isOpened?: boolean;
}

const originOf = (action: string, at: Date) => ({
  ...{ actor: { kind: 'operator', name: 'tester' } as const, action, source: 'test', at },
});

/** A console of production. It ends with the test file. */
export async function openConsole(
  { database, jobs }: Pick<Api, 'database' | 'jobs'>,
  { actions = true, only, isOpened = true }: Options = {},
): Promise<OpenConsole> {
  const reports: unknown[] = [];
  const { server, linkPath } = createConsole({
    ...{ database, environment: 'production', only },
    actions: actions ? { jobs, originOf } : undefined,
    report: (error) => void reports.push(error),
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  atEnd(async () => void server.close());
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const opened = isOpened ? await send(base, { path: linkPath }) : undefined;
  const cookie = String(opened?.headers['set-cookie']?.[0]).split(';', 1).join();
  const get: OpenConsole['get'] = (path, headers) =>
    send(base, { path, headers: { Cookie: cookie, ...headers } });
  const post: OpenConsole['post'] = (path, fields, headers) =>
    send(base, {
      method: 'POST',
      path,
      headers: {
        ...{ Cookie: cookie, Origin: base, 'Content-Type': 'application/x-www-form-urlencoded' },
        ...headers,
      },
      body: new URLSearchParams(fields).toString(),
    });
  return {
    ...{ base, linkPath, cookie, reports, get, post },
    async submit(page, action, fields = {}) {
      const token = tokenOf((await get(page)).body, action);
      return post(action, { token, ...fields });
    },
  };
}

/** The token of the form with an action, which is in a closed section: each change needs two clicks. */
export function tokenOf(page: string, action: string): string {
  const [, token] =
    new RegExp(
      `<details data-key="[^"]+"><summary>(?:(?!</?details)[^])+</summary><div>\\s*<form method="post" action="${action}"><input type="hidden" name="token" value="([^"]+)"`,
    ).exec(page) ?? [];
  if (token === undefined) throw new Error(`The page has no section with a form ${action}.`);
  return token;
}
