import type { RequestListener } from 'node:http';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import Fastify from 'fastify';
import { contract, failure, handlers, isKnown, type OperationObject, routes } from '../memory.ts';

/** Fastify with equal checks: the contract's schemas for parameters, request bodies and responses. */
export async function start(): Promise<RequestListener> {
  const app = Fastify({ logger: false });
  // The same ajv as in the platform. Only parameters are coerced.
  const [coercing, exact] = [true, false].map((coerceTypes) => {
    const ajv = new Ajv2020({ strict: false, coerceTypes, useDefaults: true });
    return formats.default(ajv, { mode: 'full' });
  }) as [Ajv2020, Ajv2020];
  app.setValidatorCompiler(({ schema, httpPart }) =>
    (httpPart === 'body' ? exact : coercing).compile(schema as object),
  );
  app.setSerializerCompiler(() => JSON.stringify);

  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404 || isKnown(request.headers.authorization)) return done();
    void reply.code(401).send(failure('credentials_invalid', 'The credentials are unknown.'));
  });
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).send(failure('path_not_found', 'There is no such path.')),
  );
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    void reply.code(error.statusCode ?? 500).send(failure('body_invalid', error.message));
  });

  for (const { id, method, template, operation } of routes) {
    const validators = responseValidators(operation, exact);
    const handler = handlers[id] ?? (() => ({ status: 501, body: {} }));
    app.route({
      method: method.toUpperCase() as 'GET',
      url: template.replace(/\{([^}]+)\}/g, ':$1'),
      schema: schemasOf(template, operation),
      preSerialization: (_request, reply, payload, done) => {
        const validate = validators.get(reply.statusCode);
        if (validate && !validate(payload)) return done(new Error(exact.errorsText(validate.errors)));
        done(null, payload);
      },
      handler: (request, reply) => {
        const { status, body } = handler(request.body as object | undefined);
        reply.code(status).send(body);
      },
    });
  }
  await app.ready();
  return (request, response) => app.routing(request, response);
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: object;
}

function schemasOf(template: string, operation: OperationObject) {
  const shared = (contract.paths[template] as { parameters?: object[] }).parameters ?? [];
  const parameters = [...shared, ...(operation.parameters ?? [])].map(
    (parameter) => inlined(parameter) as Parameter,
  );
  const schemaOf = (place: string) => {
    const here = parameters.filter((parameter) => parameter.in === place);
    const properties = Object.fromEntries(
      here.map((parameter) => [
        place === 'header' ? parameter.name.toLowerCase() : parameter.name,
        parameter.schema,
      ]),
    );
    const required = here.filter((parameter) => parameter.required).map((parameter) => parameter.name);
    return { type: 'object', properties, required, additionalProperties: place === 'header' };
  };
  const body = operation.requestBody?.content['application/json'];
  return {
    params: schemaOf('path'),
    querystring: schemaOf('query'),
    headers: schemaOf('header'),
    ...(body && { body: inlined(body.schema) as object }),
  };
}

function responseValidators({ responses }: OperationObject, ajv: Ajv2020): Map<number, ValidateFunction> {
  const validators = Object.entries(responses).flatMap(([status, response]) => {
    const { content } = inlined(response) as { content?: Record<string, { schema: object }> };
    const json = content?.['application/json'];
    return json ? [[Number(status), ajv.compile(json.schema)] as const] : [];
  });
  return new Map(validators);
}

/** Replaces every reference by its target. */
function inlined(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(inlined);
  if (typeof part !== 'object' || part === null) return part;
  const { $ref: reference, ...beside } = part as { $ref?: string };
  if (typeof reference === 'string') {
    const segments = reference.split('/').slice(1);
    const target = segments.reduce<unknown>(
      (inner, name) => (inner as Record<string, unknown>)[name],
      contract,
    );
    return { ...(inlined(target) as object), ...beside };
  }
  return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, inlined(inner)]));
}
