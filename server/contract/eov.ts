import { OpenApiSpecLoader } from 'express-openapi-validator/dist/framework/openapi.spec.loader.js';
import { RequestValidator, ResponseValidator } from 'express-openapi-validator/dist/middlewares/index.js';
import { SchemaPreprocessor } from 'express-openapi-validator/dist/middlewares/parsers/schema.preprocessor.js';
import { ContentType } from 'express-openapi-validator/dist/middlewares/util.js';
import { OpenApiValidator } from 'express-openapi-validator/dist/openapi.validator.js';
import { withClosedObjects } from './closed-objects.ts';
import type { Check, Stock } from './compiled.ts';
import { type ContractDocument, resolve } from './document.ts';
import { optimizeFormats } from './formats.ts';
import { optimizeLengths } from './lengths.ts';
import { stopAtLimit } from './problems.ts';

/*
 * The only file that depends on internals of express-openapi-validator (EOV). It lets EOV prepare the contract as
 * usual, and takes the two objects that compile its validators. It leaves out EOV's work per request: the scan over all
 * paths, a promise per middleware, and the caches keyed by the caller's Content-Type.
 *
 * `moved()` names the internal that an upgrade of EOV has removed.
 */

/** An operation, as EOV represents it. */
export interface Schema {
  requestBody?: { content?: Record<string, { schema?: { _discriminator?: unknown } }> };
  parameters?: object[];
}
export interface OpenApiOfRequest {
  expressRoute: string;
  openApiRoute: string;
  schema: Schema;
  _responseSchema: { responses: Record<string, object> };
}

type Layer = (request: object, response: object, next: (error?: unknown) => void) => unknown;
type Ajv = Parameters<typeof optimizeFormats>[0] &
  Parameters<typeof optimizeLengths>[0] & { getSchema(key: string): Check | undefined };
interface Document {
  openapi: string;
  components?: { parameters?: object; schemas?: object };
}
/** Members of OpenApiValidator that its types do not show. */
interface Validator {
  ajvOpts?: { request?: object; response?: object };
  requestValidationMiddleware(contract: object): Layer;
  responseValidationMiddleware(contract: object): Layer;
  installMiddleware(specification: Promise<unknown>): Layer[];
}
/** Members of OpenApiSpecLoader that its types do not show. */
interface Loader {
  framework: { initialize(visitor: { visitApi(api: object): void }): Promise<object> };
  load(): Promise<unknown>;
}
/** Members of SchemaPreprocessor that its types do not show. */
interface Preprocessor {
  apiDoc: object;
  resolveSchema(schema: object | undefined): object | null;
}
/** Members of RequestValidator and ResponseValidator that their types do not show. */
export interface Requests {
  ajv: Ajv;
  ajvBody: Ajv;
  apiDoc: Document;
  buildMiddleware(path: string, schema: Schema, type: ContentType, key: string): Stock;
}
export interface Responses {
  ajvBody: Ajv;
  spec: Document;
  buildValidators(responses: object, key: string): Record<string, Record<string, Check>>;
}
export interface Prepared {
  requests: Requests;
  /** Compiles checks that collect all errors, up to `rawErrorLimit`. Created at first use. */
  allErrors(): Requests;
  responses: Responses;
  /** The value that EOV assigns to `req.openapi`. */
  openApiOf(method: string, template: string): Promise<OpenApiOfRequest>;
}

const layerNames =
  'pathParamsMiddleware metadataMiddleware securityMiddleware requestMiddleware responseMiddleware';

/** The key that EOV uses for a request without a body. */
export const noBody = mediaType('');

export function mediaType(type: string): ContentType {
  return ContentType.fromString(type);
}

/** Lets EOV prepare the contract as usual and keeps the result. */
export async function prepare(document: ContractDocument): Promise<Prepared> {
  resolveWithoutCompiling(SchemaPreprocessor.prototype as unknown as Preprocessor);
  // A copy, because EOV modifies it.
  const copy = withClosedObjects(document);
  const validator = new OpenApiValidator({
    apiSpec: copy as never,
    validateRequests: { allowUnknownQueryParameters: false, coerceTypes: false },
    validateResponses: { coerceTypes: false } as never,
    // Authentication and files are handled elsewhere.
    validateSecurity: false,
    fileUploader: false,
    // `fast` accepts 2026-19-39, which would reach a handler as an Invalid Date.
    ajvFormats: { mode: 'full' },
    // Without these, EOV converts Date objects in responses to strings, in place.
    serDes: [{ format: 'date-time' }, { format: 'date' }] as never,
  }) as unknown as Validator;
  const options = validator.ajvOpts;
  if (!options?.request || !options.response) throw moved('ajvOpts');
  const layers = validator.installMiddleware(loadSpecification(copy));
  if (layers.map((layer) => layer.name).join(' ') !== layerNames) throw moved('the named middlewares');
  const [first, metadata, , request, response] = layers as [Layer, Layer, Layer, Layer, Layer];

  const read: { requests?: object; responses?: object } = {};
  const keep = (what: keyof typeof read) => (contract: object) => {
    read[what] = contract;
    return (_request: object, _response: object, next: () => void) => next();
  };
  validator.requestValidationMiddleware = keep('requests');
  validator.responseValidationMiddleware = keep('responses');
  // The first middleware reports a contract that EOV cannot read.
  for (const layer of [first, request, response]) await ask(layer, sampleRequest('GET', '/'));
  if (!read.requests || !read.responses) throw moved('the prepared contract');

  const requests = new RequestValidator(read.requests as never, options.request) as unknown as Requests;
  const responses = new ResponseValidator(read.responses as never, options.response) as unknown as Responses;
  for (const ajv of [requests.ajv, requests.ajvBody, responses.ajvBody]) optimize(ajv);
  requests.apiDoc = withoutSearch(requests.apiDoc);
  responses.spec = withoutSearch(responses.spec);
  let collecting: Requests | undefined;
  const allErrors = () => {
    if (collecting) return collecting;
    // With `verbose`, an error has the schema of its object, whose properties the message names.
    const all = { ...options.request, allErrors: true, verbose: true, code: { process: stopAtLimit } };
    collecting = new RequestValidator(read.requests as never, all as never) as unknown as Requests;
    for (const ajv of [collecting.ajv, collecting.ajvBody]) optimize(ajv);
    collecting.apiDoc = requests.apiDoc;
    return collecting;
  };
  return {
    requests,
    allErrors,
    responses,
    async openApiOf(method, template) {
      const sample = sampleRequest(method, template.replace(/\{[^}]*\}/g, '~'));
      await ask(metadata, sample);
      const { openapi } = sample as { openapi?: OpenApiOfRequest };
      if (openapi?.openApiRoute !== template) throw moved('req.openapi');
      return openapi;
    },
  };
}

/**
 * The contract and its routes, as EOV's loader returns them. The loader would search the document for references to
 * other files, which the bundle has not, and validate it, which the linter has done: 0.3 s at every start.
 *
 * @param document modified by EOV
 */
function loadSpecification(document: ContractDocument): Promise<unknown> {
  const loader = new OpenApiSpecLoader({ apiDoc: document as never }) as unknown as Loader;
  if (!('framework' in loader)) throw moved("the loader's framework");
  // Paths are served without those of the servers.
  const basePaths = ['/'];
  loader.framework = {
    async initialize(visitor) {
      visitor.visitApi({ basePaths, getApiDoc: () => document });
      return { apiDoc: document, basePaths };
    },
  };
  return loader.load();
}

/** EOV compiles each schema that a reference leads to, only to find it: 0.2 s at every start. */
function resolveWithoutCompiling(preprocessor: Preprocessor): void {
  if (!('resolveSchema' in preprocessor)) throw moved('resolveSchema');
  preprocessor.resolveSchema = function (schema) {
    return schema ? resolve(this.apiDoc, schema) : null;
  };
}

function optimize(ajv: Ajv): void {
  if (typeof ajv?.getSchema !== 'function') throw moved('the ajv instances');
  optimizeFormats(ajv);
  optimizeLengths(ajv);
}

/**
 * Every validator includes the whole contract for its references, and ajv searches all of it for identifiers each
 * time: 2 of 3 seconds at start. Non-enumerable parts are still found by reference.
 */
function withoutSearch({ openapi, components }: Document): Document {
  const { parameters = {}, schemas = {} } = components ?? {};
  return { openapi, components: Object.defineProperty({ parameters }, 'schemas', { value: schemas }) };
}

function ask(layer: Layer, request: object): Promise<void> {
  return new Promise((resolve, reject) => {
    layer(request, {}, (error) => (error ? reject(error as Error) : resolve()));
  });
}

function sampleRequest(method: string, path: string): object {
  const app = { enabled: () => true, param: () => undefined };
  return { method, path, url: path, originalUrl: path, baseUrl: '', headers: {}, query: {}, app };
}

export function moved(piece: string): Error {
  return new Error(
    `express-openapi-validator has changed: ${piece} is not where server/contract/eov.ts ` +
      'looks for it (written against 5.6.2).',
  );
}
