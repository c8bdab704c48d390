import type { Check, CompiledOperation, FullChecks, RequestChecks } from './compiled.ts';
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

/** Compiles every operation with EOV. @throws an error that names the operation that does not compile */
export async function compileContract(
  document: ContractDocument,
  routes: readonly Route[],
): Promise<Map<string, CompiledOperation>> {
  const prepared = await prepare(document);
  const checksOf = responseChecks(prepared.responses);
  const compiled = new Map<string, CompiledOperation>();
  const isInPath = (parameter: object) => resolve(document, parameter as Parameter).in === 'path';
  for (const { path: template, method: name, operation } of routes) {
    const { operationId: id } = operation;
    const method = name.toUpperCase();
    if (!id) throw new Error(`${method} ${template} has no operationId.`);
    try {
      const openapi = await prepared.openApiOf(method, template);
      const request = compileRequest(prepared, method, openapi, isInPath);
      const responses = checksOf(openapi._responseSchema.responses, `${method}-${template}-response`);
      compiled.set(id, { method, template, ...request, responses, openapi });
    } catch (error) {
      const message = `The contract's operation ${id} does not compile: ${(error as Error).message}`;
      throw new Error(message, { cause: error });
    }
  }
  return compiled;
}

function compileRequest(
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
  const compile = (part: Schema, type: typeof noBody, name: string, stockOnly = false): RequestChecks => {
    let full: FullChecks | undefined;
    return {
      ...build(prepared.requests, part, type, name),
      stockOnly,
      full: () => (full ??= build(prepared.allErrors(), part, type, name)),
    };
  };
  const { requestBody, ...bodiless } = schema;
  const bodies = Object.entries(requestBody?.content ?? {}).map(([type, content]) => {
    const discriminated = content.schema?._discriminator !== undefined;
    return [type, compile(schema, mediaType(type), type, discriminated)] as const;
  });
  const onlyPath = { ...bodiless, parameters: (schema.parameters ?? []).filter(isInPath) };
  return {
    path: build(prepared.requests, onlyPath, noBody, 'path').parameters,
    bare: compile(bodiless, noBody, 'bare'),
    bodies: new Map(bodies),
  };
}

/** Most responses are shared by many operations, so their validators are shared too. */
function responseChecks(validator: Responses) {
  const shared = new Map<object, Record<string, Check>>();
  return (responses: Record<string, object>, key: string) =>
    Object.fromEntries(
      Object.entries(responses).map(([status, response]) => {
        const checks = shared.get(response) ?? validator.buildValidators({ [status]: response }, key)[status];
        const compiled = checks ?? {};
        if (Object.values(compiled).some((check) => typeof check !== 'function'))
          throw moved('buildValidators');
        shared.set(response, compiled);
        return [status, compiled];
      }),
    );
}
