import { randomUUID } from 'node:crypto';
import { resolve } from '../../../server/contract/index.ts';
import { isUuid } from '../../../server/src/domain/identifiers.ts';
import type { Api } from '../../support/api.ts';
import { bundle } from '../../support/contract.ts';
import type { DemoPlatform } from '../../support/demo.ts';
import { type Received, type Sent, send } from '../../support/raw-requests.ts';
import {
  type BadRequest,
  badAddresses,
  badFields,
  badHeaders,
  badIdentifiers,
  badJson,
  badQueries,
  badTypes,
} from '../../sweeps/support/bad-values.ts';
import { isForm, type Operation, operations, parametersIn } from '../../sweeps/support/contract.ts';
import {
  type DemoRequests,
  demoRequests,
  type ExampleRequest,
  exampleRequests,
  notOnTheDemo,
  takesSeveralRequests,
} from '../../sweeps/support/demo-requests.ts';
import { altered } from '../../sweeps/support/error-cases.ts';
import { requestsOf, toSend, type ValidRequest, withToken } from '../../sweeps/support/requests.ts';

/** A request to the mock and to the platform. */
export interface Case {
  operation: Operation;
  /** What is special about the request. */
  what: string;
  /** The documented error that the request leads to on the platform. */
  code?: string;
  /** Whether both get exactly the same request, which changes nothing on the platform. */
  isSame: boolean;
  ask(): Promise<{ mock: Received; platform: Received }>;
}

/** What the requests of the cases need. */
export interface Sides {
  mockUrl: string;
  /** Has the objects of the examples, so that the same request can be sent to both. */
  demo: DemoPlatform;
  /** Has objects for each request that changes something: an example can be sent there only once. */
  api: Api;
}

const uploadLimit = 100 << 20;
/** Errors that no request of an example leads to on the demo. */
const unreachable = new Set([
  ...Object.keys(notOnTheDemo),
  // They come from failures.
  'internal_error',
  'service_unavailable',
  'upstream_unavailable',
  // It needs 100 MiB.
  'file_too_large',
]);

/** @returns the cases of an operation, derived from the contract */
export async function casesOn({ mockUrl, demo, api }: Sides): Promise<(operation: Operation) => Case[]> {
  const { production, sandbox } = demo.environments;
  const onMock = await demoRequests({ ...production, baseUrl: mockUrl }, uploadLimit);
  const onProduction = await demoRequests(production, uploadLimit);
  const onSandbox = await demoRequests(sandbox, uploadLimit);
  const requests = requestsOf(api);
  const key = await api.given.apiKey({ user: api.world.owner, homeWorkspace: api.world.workspace });
  const { data: granted } = await api.anonymous.POST('/auth/authorize', { body: key });

  return (operation) => {
    const [example] = exampleRequests(operation) as [ExampleRequest];
    const isSandboxOnly = operation.responses.get(403)?.codes.includes('sandbox_only');
    const target = isSandboxOnly ? sandbox : production;
    const cases: Case[] = [];
    const add = (what: string, ask: Case['ask'], more: Pick<Partial<Case>, 'code' | 'isSame'> = {}) =>
      cases.push({ operation, what, ask, isSame: false, ...more });

    /** The same request to both. It changes nothing on the platform. */
    const same = (what: string, sent: Sent, token: string | undefined = target.demo.organizationToken) => {
      const request = withToken(sent, token || undefined);
      const ask = async () => {
        const [mock, platform] = await Promise.all([send(mockUrl, request), send(target.baseUrl, request)]);
        return { mock, platform };
      };
      add(what, ask, { isSame: true });
    };
    /** An accepted request, on an object that is the platform's own. */
    const accepted = (
      what: string,
      change: (sent: Sent) => Sent = (sent) => sent,
      { of = (valid) => valid, query = '', token = api.owner.token, times = 1 }: Accepted = {},
    ) =>
      add(what, async () => {
        const transmit = async (baseUrl: string, valid: ValidRequest) => {
          const request = withToken(change(toSend(of(valid), query)), token);
          for (let sent = 1; sent < times; sent++) await send(baseUrl, request);
          return send(baseUrl, request);
        };
        const valid = await requests.valid(operation);
        return { mock: await transmit(mockUrl, example), platform: await transmit(api.baseUrl, valid) };
      });

    for (const { name, request } of refusedByContract(operation, example)) same(name, request);
    for (const { name, request } of onUnknownObjects(operation, example)) same(name, request);
    const sent = toSend(example);
    for (const method of otherMethods(operation)) same(`the method ${method}`, { ...sent, method });
    for (const origin of ['http://localhost:3000', 'https://app.example']) {
      const preflight = { Origin: origin, 'Access-Control-Request-Method': operation.method };
      same(`a preflight from ${origin}`, { target: sent.target, method: 'OPTIONS', headers: preflight });
    }
    if (operation.secured) {
      const { organizationToken } = target.demo;
      same('no credentials', sent, '');
      same('an empty Authorization', withHeaders({ Authorization: '' })(sent));
      for (const token of ['tot_unknown', organizationToken])
        for (const scheme of ['Bearer', 'bearer'])
          same(
            `${scheme} with ${token.slice(0, 11)}`,
            withHeaders({ Authorization: `${scheme} ${token}` })(sent),
          );
      for (const value of [
        ...otherCredentials,
        organizationToken.slice(0, -1),
        organizationToken.toUpperCase(),
      ])
        same(`Authorization: ${value.slice(0, 12)}`, withHeaders({ Authorization: value })(sent));
    }
    for (const { status, code, shown } of documentedErrors(operation)) {
      const refused = (on: DemoRequests) => on.refused(example, status, code) as Promise<Received>;
      const refusing = isSandboxOnly && code !== 'sandbox_only' ? onSandbox : onProduction;
      const ask = async () => ({ mock: await refused(onMock), platform: await refused(refusing) });
      add(`what leads to ${status} ${code}`, ask, { code });
      const preferring = withHeaders({ Prefer: `example=${shown}, code=${status}` })(sent);
      const token = code === 'credentials_missing' ? undefined : target.demo.organizationToken;
      add(`Prefer: example=${shown}`, async () => ({
        mock: await send(mockUrl, withToken(preferring, token)),
        platform: await refused(refusing),
      }));
    }
    for (const [what, change, options] of acceptedVariants(operation)) accepted(what, change, options);
    if (operation.secured && granted) {
      const token = `Bearer ${granted.accessToken}`;
      accepted('an access token', undefined, { token });
      accepted('an access token and an invalid query', undefined, { token, query: '?surplus=1' });
    }
    if (operation.responses.has(422)) {
      accepted('the same Idempotency-Key twice', undefined, {
        of: (valid) => ({ ...valid, headers: { 'Idempotency-Key': keyOf(operation) } }),
        times: 2,
      });
      add('an Idempotency-Key of another request', async () => {
        const headers = { 'Idempotency-Key': randomUUID() };
        const reuse = async (baseUrl: string, valid: ValidRequest, other: ValidRequest) => {
          const token = api.owner.token;
          await send(baseUrl, withToken(toSend({ ...valid, headers }), token));
          return send(baseUrl, withToken(toSend({ ...other, headers }), token));
        };
        const valid = await requests.valid(operation);
        const other = valid.fields ? altered(valid) : await requests.valid(operation);
        return {
          mock: await reuse(mockUrl, example, example.fields ? altered(example) : example),
          platform: await reuse(api.baseUrl, valid, other),
        };
      });
    }
    return cases;
  };
}

interface Accepted {
  of?: (valid: ValidRequest) => ValidRequest;
  query?: string;
  token?: string;
  /** How often it is sent. */
  times?: number;
}

const keys = new Map<string, string>();
/** One key for both transmissions of an operation's case, but not for the next run of the sweep. */
function keyOf({ id }: Operation): string {
  const key = keys.get(id) ?? randomUUID();
  keys.set(id, key);
  return key;
}

const withHeaders =
  (headers: Record<string, string>) =>
  (sent: Sent): Sent => ({ ...sent, headers: { ...sent.headers, ...headers } });

function refusedByContract(operation: Operation, example: ExampleRequest): BadRequest[] {
  const takesJson = operation.body?.type === 'application/json';
  return [
    ...(takesJson ? [...badFields(example), ...badJson(example)] : []),
    ...(operation.body ? badTypes(example) : []),
    ...badQueries(example),
    ...badIdentifiers(example),
    ...badHeaders(example),
    ...badAddresses(example),
  ];
}

/** Requests on objects that do not exist, valid or invalid besides. */
function onUnknownObjects(
  operation: Operation,
  example: ExampleRequest,
): Pick<BadRequest, 'name' | 'request'>[] {
  const names = parametersIn(operation, 'path').map(({ name }) => name);
  return names.flatMap((name) => {
    const unknown = { ...example, path: { ...example.path, [name]: randomUUID() } };
    const sent = toSend(unknown);
    const others = names.filter((other) => other !== name);
    return [
      { name: `an unknown ${name}`, request: sent },
      { name: `an unknown ${name} and an unknown parameter`, request: toSend(unknown, '?surplus=1') },
      ...others.map((other) => ({
        name: `an unknown ${name} and an invalid ${other}`,
        request: toSend({ ...unknown, path: { ...unknown.path, [other]: 'x' } }),
      })),
      ...(operation.body
        ? [
            { name: `an unknown ${name} and a malformed body`, request: { ...sent, body: '{' } },
            { name: `an unknown ${name} and no body`, request: { ...sent, body: undefined } },
            {
              name: `an unknown ${name} and text`,
              request: withHeaders({ 'Content-Type': 'text/csv' })(sent),
            },
          ]
        : []),
    ];
  });
}

function otherMethods({ template }: Operation): string[] {
  const declared = operations.filter((one) => one.template === template).map(({ method }) => method);
  const known = declared.includes('GET') ? [...declared, 'HEAD'] : declared;
  const all = 'GET HEAD POST PUT PATCH DELETE OPTIONS TRACE PROPFIND QUERY'.split(' ');
  return all.filter((method) => !known.includes(method));
}

const otherCredentials = ['any', 'Basic YTpi', 'Bearer', 'Bearer  x', 'Bearer a b', 'Bearer a.b.c'];

/** The errors that an operation documents, each with the name of its example. */
function documentedErrors({ operation }: Operation) {
  return Object.entries(operation.responses).flatMap(([status, { content = {} }]) =>
    Object.entries(content['application/json']?.examples ?? {}).flatMap(([shown, { value }]) => {
      const [error] = (value as { errors?: { code: string }[] } | undefined)?.errors ?? [];
      const code = error?.code ?? '';
      const isReached = !unreachable.has(code) && !takesSeveralRequests(`${status} ${code}`);
      return Number(status) >= 400 && isReached ? [{ status: Number(status), code, shown }] : [];
    }),
  );
}

type Variant = [what: string, change?: ((sent: Sent) => Sent) | undefined, options?: Accepted];

/** Unusual requests that the platform accepts, or refuses only after its look at the object. */
function acceptedVariants(operation: Operation): Variant[] {
  const header = (name: string, value: string): Variant => [
    `${name}: ${value}`,
    withHeaders({ [name]: value }),
  ];
  const ids =
    (change: (id: string) => string, place: 'path' | 'everywhere') =>
    ({ path, fields, ...rest }: ValidRequest): ValidRequest => {
      const changed = (values: Record<string, unknown>) =>
        Object.fromEntries(
          Object.entries(values).map(([name, id]) => [name, isUuid(String(id)) ? change(String(id)) : id]),
        );
      const body = fields && place === 'everywhere' ? changed(fields) : fields;
      return { ...rest, path: changed(path) as Record<string, string>, fields: body };
    };
  const encoded = (id: string) => `%${id.charCodeAt(0).toString(16)}${id.slice(1)}`;
  const queries = parametersIn(operation, 'query').flatMap(({ name, schema }) => {
    const { type, minimum, maximum } = resolve(bundle, schema);
    const values = type === 'boolean' ? [true, false] : [minimum, maximum];
    // A poll would wait for events.
    return name === 'wait'
      ? []
      : values.flatMap((value) => (value === undefined ? [] : [`?${name}=${value}`]));
  });
  return [
    ['nothing special'],
    header('Accept', 'text/html'),
    header('Accept', 'application/xml;q=1, */*;q=0'),
    header('Accept-Encoding', 'gzip, br'),
    header('Prefer', 'respond-async, return=minimal'),
    header('If-None-Match', '*'),
    header('If-None-Match', '"x", W/"y"'),
    header('If-Match', '*'),
    header('If-Match', '"x"'),
    ...['bytes=0-0', 'bytes=-2', 'bytes=5-1', 'bytes=0-1,3-4', 'lines=0-1', 'bytes=999999999-'].map((range) =>
      header('Range', range),
    ),
    ['an If-Range of another version', withHeaders({ Range: 'bytes=0-0', 'If-Range': '"x"' })],
    ['UUIDs in upper case', undefined, { of: ids((id) => id.toUpperCase(), 'everywhere') }],
    ['UUIDs with a percent-encoded character', undefined, { of: ids(encoded, 'path') }],
    ['a target in absolute form', (sent) => ({ ...sent, target: `http://127.0.0.1${sent.target}` })],
    ['a question mark without a query', (sent) => ({ ...sent, target: `${sent.target}?` })],
    ['a fragment', (sent) => ({ ...sent, target: `${sent.target}#a` })],
    ...queries.map((query): Variant => [query, undefined, { query }]),
    ...(operation.method === 'GET' ? [['HEAD', (sent) => ({ ...sent, method: 'HEAD' })] as Variant] : []),
    operation.body
      ? ['a media type in another case', withMediaTypeInUpperCase(operation)]
      : ['a body that the operation does not take', withUnexpectedBody],
  ];
}

const withUnexpectedBody = (sent: Sent): Sent => ({
  ...withHeaders({ 'Content-Type': 'text/plain' })(sent),
  body: 'text',
});

const withMediaTypeInUpperCase =
  (operation: Operation) =>
  (sent: Sent): Sent => {
    const type = String(sent.headers?.['Content-Type']);
    const other = isForm(operation)
      ? type.replace('multipart/form-data', 'Multipart/Form-Data')
      : 'Application/JSON; Charset="UTF-8"';
    return withHeaders({ 'Content-Type': other })(sent);
  };
