import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Contract, type Operation, openContract } from '../../server/contract/contract.ts';
import { type MediaType, routesOf } from '../../server/contract/routes.ts';
import { parseJson } from '../../server/http-bodies/index.ts';
import { bundle, exampleValues, routes, theContract } from '../support/contract.ts';

const id = '5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02';
let contract: Contract;
beforeAll(async () => {
  ({ contract } = await theContract());
});

function operation(operationId: string): Operation {
  const found = contract.operations.get(operationId as never);
  if (!found) throw new Error(`the contract has no ${operationId}`);
  return found;
}

function check(
  operationId: string,
  { search = '', body, path = {} }: { search?: string; body?: unknown; path?: object },
) {
  const bodyType = body === undefined ? undefined : operation(operationId).bodyTypes[0];
  return operation(operationId).checkRequest({ path: { ...path }, search, headers: {}, body, bodyType });
}

const updateProfile = (body: unknown) => check('updateUserProfile', { path: { userId: id }, body });

describe('opening the contract', () => {
  test('changes nothing in the document', async () => {
    const before = JSON.stringify(bundle);
    await openContract(bundle);
    expect(JSON.stringify(bundle)).toBe(before);
  });

  test('fails if an operation does not compile, and names it', async () => {
    const broken = structuredClone(bundle);
    Object.assign(broken.paths['/organizations/users']?.['get'] as object, {
      responses: {
        200: {
          description: '',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Nowhere' } } },
        },
      },
    });
    await expect(openContract(broken)).rejects.toThrow(/Nowhere|listUsers/);
  });
});

describe('matching', () => {
  test('names the allowed methods of a path that lacks the requested one', () => {
    for (const method of ['OPTIONS', 'DELETE', 'get', 'BREW'])
      expect(contract.match(method, '/organizations/users')).toEqual({ allow: ['GET', 'HEAD'] });
  });

  test('reports malformed percent-encoding as an invalid parameter', () => {
    const match = contract.match('GET', '/organizations/users/%zz');
    expect(match?.operation?.checkPath(match.path)).toMatchObject([
      { code: 'parameter_invalid', parameter: 'userId' },
    ]);
  });
});

describe('a request', () => {
  test('gets parsed numbers and defaults in a new object each time', () => {
    expect(check('listUsers', { search: 'page=3' })).toMatchObject({ query: { page: 3, size: 20 } });
    expect(check('listUsers', {})).toMatchObject({ query: { page: 0, size: 20 } });
  });

  test('cannot reach a prototype', () => {
    for (const field of ['__proto__', 'constructor', 'prototype']) {
      const body = JSON.parse(`{"firstName":"a","lastName":"b","title":"","${field}":{"polluted":true}}`);
      expect(updateProfile(body)).toMatchObject({
        problems: [{ code: 'body_invalid', pointer: `/${field}` }],
      });
      const inherited = JSON.parse('{"__proto__":{"firstName":"a","lastName":"b","title":""}}');
      expect(updateProfile(inherited)).toHaveProperty('problems');
      expect(check('listUsers', { search: `${field}=1` })).toHaveProperty('problems');
    }
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test('nested too deeply is refused by the parser, before anything recurses into it', () => {
    const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const deep = nested(100_000);
    for (const body of [deep, `{"firstName":${deep}}`, `{"surplus":{"deep":${deep}}}`, nested(201)]) {
      const errors = [{ code: 'body_invalid', message: expect.stringContaining('nested') }];
      expect(() => parseJson(Buffer.from(body))).toThrow(
        expect.objectContaining({ refusal: { status: 400, errors } }),
      );
    }
    expect(parseJson(Buffer.from(nested(200)))).toBeInstanceOf(Array);
  });

  test('with too many distinct sequences of property names is refused before it is parsed', () => {
    const list = (objects: object[]) => Buffer.from(JSON.stringify(objects));
    const named = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`name ${at}`, 1]));
    const errors = [
      { code: 'body_invalid', message: expect.stringContaining('10,000 different combinations') },
    ];
    const refusal = { status: 400, errors };
    // A hundred more than the limit: of so many hashes, two or three may be equal.
    const tooMany = [
      [named(10_100)],
      Array.from({ length: 10_100 }, (_, at) => ({ [`name ${at}`]: 1 })),
      // Few names, in many orders.
      Array.from({ length: 5_000 }, (_, at) => ({
        [`a${at % 80}`]: 1,
        [`b${at % 79}`]: 1,
        [`c${at % 77}`]: 1,
      })),
    ];
    for (const body of tooMany)
      expect(() => parseJson(list(body))).toThrow(expect.objectContaining({ refusal }));
    const many = [named(9_000), ...Array.from({ length: 40_000 }, () => ({ a: 1, b: { '"c\\': ':' } }))];
    expect(parseJson(list(many))).toEqual(many);
  });

  test('gets an error object within its limits, however long its names are', () => {
    const long = 'x'.repeat(100_000);
    const responses = [updateProfile({ [long]: 1 }), check('listUsers', { search: `${long}=1` })];
    for (const response of responses) {
      if (!('problems' in response)) throw new Error('accepted');
      const refused = { fingerprint: id, errors: response.problems };
      expect(operation('updateUserProfile').checkReply(400, undefined, refused)).toBeUndefined();
    }
  });

  test('is never repeated in the response', () => {
    const secret = 'tot_secret';
    const body = { firstName: secret.repeat(50), lastName: 'b', title: '' };
    expect(JSON.stringify(updateProfile(body))).not.toContain(secret);
    expect(JSON.stringify(check('listUsers', { search: `page=${secret}` }))).not.toContain(secret);
    expect(JSON.stringify(check('listUsers', { search: `page=${secret}:` }))).not.toContain(secret);
  });

  test('whose media type the operation does not declare never reaches the validator', () => {
    const given = {
      path: { userId: id },
      search: '',
      headers: {},
      body: {},
      bodyType: 'application/json; a=1',
    };
    expect(() => operation('updateUserProfile').checkRequest(given)).toThrow('declares no body');
  });
});

describe('a response', () => {
  const role = { id, name: 'owner', organizationId: id };
  const reply = (...given: Parameters<Operation['checkReply']>) =>
    operation('listOrganizationRoles').checkReply(...given);

  test('as declared is valid, frozen or not', () => {
    expect(reply(200, 'application/json', [role])).toBeUndefined();
    expect(reply(200, undefined, Object.freeze([Object.freeze(role)]))).toBeUndefined();
  });

  test('with an undeclared status, media type or shape is invalid', () => {
    expect(reply(418, undefined, {})).toEqual(['status 418 is not declared']);
    expect(reply(200, 'text/plain', 'x')).toEqual(['status 200 is not declared as text/plain']);
    expect(reply(200, undefined, undefined)).toEqual(['the body is missing']);
    expect(reply(200, undefined, [{ ...role, passwordHash: 'x' }])?.[0]).toContain('/0/passwordHash');
    expect(reply(500, undefined, { fingerprint: id, errors: [] })?.[0]).toContain('/errors');
  });

  test('with a Date is invalid: the checked value is the one that is sent', () => {
    const example = bundle.components['examples']?.['claimsAdjuster'];
    const { value: user } = example as { value: { profile: object } };
    const now = new Date();
    for (const dated of [
      { ...user, createdDateTime: now },
      { ...user, profile: { ...user.profile, lastSignedInAt: now } },
    ])
      expect(operation('getUser').checkReply(200, undefined, dated)?.[0]).toMatch(
        /(createdDateTime|lastSignedInAt) must be (a )?string/,
      );
    expect(operation('getUser').checkReply(200, undefined, user)).toBeUndefined();
  });

  test('without a body must stay without one, and a file is any object', () => {
    expect(operation('deleteAttachment').checkReply(204, undefined, undefined)).toBeUndefined();
    expect(operation('deleteAttachment').checkReply(204, undefined, {})).toHaveLength(1);
    expect(operation('downloadResource').checkReply(200, undefined, { blobKey: 'x' })).toBeUndefined();
    expect(operation('getWebhookKey').checkReply(200, 'text/plain', 'MFkw', {})).toEqual([
      'the header Cache-Control is missing',
    ]);
    const cached = { 'Cache-Control': 'public' };
    expect(operation('getWebhookKey').checkReply(200, 'text/plain', 'MFkw', cached)).toBeUndefined();
  });

  test('of an operation with several media types must name one', () => {
    expect(operation('getWorkflowResult').checkReply(200, undefined, {})?.[0]).toContain(
      'several media types',
    );
    expect(operation('getWorkflowResult').checkReply(200, 'application/json', {})).toBeUndefined();
  });
});

describe('a new field, which a minor version of the contract may add,', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'contract', components: { schemas: bundle.components['schemas'] } });
  const compiled = new Map<string, ValidateFunction>();
  const isValid = (schema: object | undefined, body: object) => {
    const text = JSON.stringify(schema).replaceAll('"#/', '"contract#/');
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text));
    compiled.set(text, validate);
    return validate(body);
  };
  const gain = (body: unknown): object =>
    Array.isArray(body) ? body.map(gain) : { ...(body as object), newField: 'x' };
  const bodiesOf = ({ content = {} }: { content?: Record<string, MediaType> } = {}) => {
    const { 'application/json': json = {} } = content;
    const bodies = exampleValues(json).filter((body) => !Array.isArray(body) || body.length > 0);
    return bodies.map((body) => ({ schema: json.schema, body: gain(body) }));
  };

  test('is allowed in every response, and refused when this server would send it', () => {
    for (const { operationId: id, responses } of routes.map((route) => route.operation))
      for (const [status, response] of Object.entries(responses))
        for (const { schema, body } of bodiesOf(response)) {
          expect(isValid(schema, body), `${id} ${status}`).toBe(true);
          // The result of a workflow has any fields.
          if (id === 'getWorkflowResult' && status === '200') continue;
          const refusal = operation(id).checkReply(Number(status), 'application/json', body);
          expect(refusal?.[0], `${id} ${status}`).toContain('newField');
        }
  });

  test('is allowed in every event', () => {
    for (const { path, operation } of routesOf(bundle, 'webhooks'))
      for (const { schema, body } of bodiesOf(operation.requestBody))
        expect(isValid(schema, body), path).toBe(true);
  });
});
