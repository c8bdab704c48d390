import { setImmediate } from 'node:timers/promises';
import type { Check, CompiledOperation, RequestChecks } from './compiled.ts';
import { type ContractDocument, resolve } from './document.ts';
import {
  mediaType,
  moved,
  noBody,
  type OpenApiOfRequest,
  type Prepared,
  prepare,
  type Requests,
  type Responses,
  type Schema,
} from './eov.ts';
import type { Parameter, Route } from './routes.ts';

/** The checks of every operation, which EOV compiles at their first use. */
export async function prepareChecks(
  document: ContractDocument,
  routes: readonly Route[],
): Promise<Map<string, CompiledOperation>> {
  const prepared = await prepare(document);
  const checksOf = responseChecks(prepared.responses);
  const compiled = new Map<string, CompiledOperation>();
  const isInPath = (parameter: object) => resolve(document, parameter as Parameter).in === 'path';
  for (const { path: template, method: name, operation } of routes) {
    await setImmediate();
    const { operationId: id } = operation;
    const method = name.toUpperCase();
    if (!id) throw new Error(`${method} ${template} has no operationId.`);
    const openapi = await prepared.openApiOf(method, template);
    const request = requestChecks(prepared, method, openapi, isInPath);
    const responses = checksOf(openapi._responseSchema.responses, `${method}-${template}-response`);
    const checks = [request.path, request.bare, ...request.bodies.values(), ...Object.values(responses)];
    const compile = () => {
      try {
        for (const check of checks) check();
      } catch (error) {
        const message = `The contract's operation ${id} does not compile: ${(error as Error).message}`;
        throw new Error(message, { cause: error });
      }
    };
    compiled.set(id, { method, template, ...request, responses, openapi, compile });
  }
  return compiled;
}

function lazy<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

function requestChecks(
  prepared: Prepared,
  method: string,
  { schema, expressRoute, openApiRoute }: OpenApiOfRequest,
  isInPath: (parameter: object) => boolean,
): Pick<CompiledOperation, 'path' | 'bare' | 'bodies'> {
  const build = (requests: Requests, part: Schema, type: typeof noBody, name: string) => {
    const key = `${method}-${openApiRoute}-${name}`;
    const stock = requests.buildMiddleware(expressRoute, part, type, key);
    const parameters = requests.ajv.getSchema(key);
    const body = requests.ajvBody.getSchema(key);
    if (typeof stock !== 'function' || !parameters || !body) throw moved('buildMiddleware');
    if (parameters({})) throw moved('the shape of a checked request');
    return { parameters, body, stock };
  };
  const compile = (part: Schema, type: typeof noBody, name: string, stockOnly = false): RequestChecks => ({
    ...build(prepared.requests, part, type, name),
    stockOnly,
    full: lazy(() => build(prepared.allErrors(), part, type, name)),
  });
  const { requestBody, ...bodiless } = schema;
  const bodies = Object.entries(requestBody?.content ?? {}).map(([type, content]) => {
    const discriminated = content.schema?._discriminator !== undefined;
    return [type, lazy(() => compile(schema, mediaType(type), type, discriminated))] as const;
  });
  const onlyPath = { ...bodiless, parameters: (schema.parameters ?? []).filter(isInPath) };
  return {
    path: lazy(() => build(prepared.requests, onlyPath, noBody, 'path').parameters),
    bare: lazy(() => compile(bodiless, noBody, 'bare')),
    bodies: new Map(bodies),
  };
}

/** Most responses are shared by many operations, so their validators are shared too. */
function responseChecks(validator: Responses) {
  const shared = new Map<object, () => Record<string, Check>>();
  return (responses: Record<string, object>, key: string) =>
    Object.fromEntries(
      Object.entries(responses).map(([status, response]) => {
        const checks =
          shared.get(response) ??
          lazy(() => {
            const compiled = validator.buildValidators({ [status]: response }, key)[status] ?? {};
            if (Object.values(compiled).some((check) => typeof check !== 'function'))
              throw moved('buildValidators');
            return compiled;
          });
        shared.set(response, checks);
        return [status, checks];
      }),
    );
}
