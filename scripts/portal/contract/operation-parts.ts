import { errorCodesOf, type MediaType, type ResponseObject } from '../../../server/contract/index.ts';
import type { Contract } from '../../contract/source.ts';
import type { ContractPages, DescribedRoute } from './contract-pages.ts';
import { type Field, fieldsOf, typeOf } from './schema-fields.ts';

/** What the pages of the reference show of an operation or event, as HTML and as Markdown. */
export interface OperationParts {
  parameters: ParameterField[];
  bodies: Body[];
  /** The responses without an error code. */
  responses: Response[];
  /** The responses with error codes. */
  errors: ErrorResponse[];
  headers: Header[];
}

export interface ParameterField extends Field {
  /** `path`, `query` or `header`. */
  in: string;
}

export interface Body {
  mediaType: string;
  fields: Field[];
  examples: Example[];
}

export interface Example {
  name: string;
  /** Text that is not JSON stays as it is. */
  text: string;
  isJson: boolean;
}

export interface Response {
  status: string;
  description: string;
  bodies: Body[];
}

export interface ErrorResponse {
  status: string;
  description: string;
  codes: { code: string; meaning: string }[];
}

/** A response header, with the statuses that have it. */
export interface Header {
  name: string;
  description: string;
  statuses: string[];
}

type CodeSchema = { 'x-enumDescriptions'?: Record<string, string> };
type Described = { description?: string };

/** The parts of an operation or event, from the contract. */
function partsOf(contract: Contract, { operation }: DescribedRoute): OperationParts {
  const all = Object.entries(operation.responses);
  const { ErrorCode: codes } = (contract.components['schemas'] ?? {}) as Record<string, CodeSchema>;
  const meanings = codes?.['x-enumDescriptions'] ?? {};
  const described = all.map(([status, response]) => ({
    status,
    description: (response as Described).description ?? '',
    codes: errorCodesOf(response).map((code) => ({ code, meaning: meanings[code] ?? '' })),
    bodies: bodiesOf(contract, response.content),
  }));
  return {
    parameters: operation.parameters.map((parameter) => ({
      path: parameter.name,
      in: parameter.in,
      type: typeOf(contract, parameter.schema),
      required: parameter.required === true,
      description: (parameter as Described).description ?? '',
    })),
    bodies: bodiesOf(contract, operation.requestBody?.content),
    responses: described.filter(({ codes }) => codes.length === 0),
    errors: described.filter(({ codes }) => codes.length > 0),
    headers: headersOf(all),
  };
}

/** What the reference lists once instead of with each operation or event. */
export interface SharedParts {
  /** The response headers of most operations. */
  headers: Header[];
  /** The headers of every event. */
  parameters: ParameterField[];
  /** The fields in the body of every event. */
  fields: Field[];
}

/** The parts that most operations, or all events, have in common. */
export function sharedParts(contract: Contract, { groups }: ContractPages): SharedParts {
  const routes = groups.flatMap((group) => group.routes);
  const all = (isEvent: boolean) =>
    routes.filter((route) => route.isEvent === isEvent).map((route) => partsOf(contract, route));
  const [operations, events] = [all(false), all(true)];
  return {
    headers: inMoreThan(
      operations.length / 2,
      operations.flatMap(({ headers }) => headers),
    ),
    parameters: inMoreThan(
      events.length - 1,
      events.flatMap(({ parameters }) => parameters),
    ),
    fields: inMoreThan(events.length - 1, events.flatMap(fieldsOfBodies)),
  };
}

const fieldsOfBodies = ({ bodies }: OperationParts) => bodies.flatMap(({ fields }) => fields);

/** The parts that occur more often than this, each once. */
function inMoreThan<Part extends object>(count: number, parts: Part[]): Part[] {
  const found = Map.groupBy(parts, keyOf);
  return [...found.values()].flatMap((same) => (same.length > count ? same.slice(0, 1) : []));
}

/** The same for equal parts: a header may come with other statuses. */
const keyOf = (part: object) => JSON.stringify({ ...part, statuses: undefined });

/** The parts of an operation or event that are not listed once for all of them. */
export function ownParts(contract: Contract, route: DescribedRoute, shared: SharedParts): OperationParts {
  const parts = partsOf(contract, route);
  const without = <Part extends object>(all: Part[], listed: Part[]) => {
    const keys = new Set(listed.map(keyOf));
    return all.filter((part) => !keys.has(keyOf(part)));
  };
  if (!route.isEvent) return { ...parts, headers: without(parts.headers, shared.headers) };
  return {
    ...parts,
    parameters: without(parts.parameters, shared.parameters),
    bodies: parts.bodies.map((body) => ({ ...body, fields: without(body.fields, shared.fields) })),
  };
}

/** The bytes of a file are not shown. */
const readable = /^(?:text\/|application\/json)/;

function bodiesOf(contract: Contract, content: Record<string, MediaType> = {}): Body[] {
  return Object.entries(content).map(([mediaType, media]) => ({
    mediaType,
    fields: fieldsOf(contract, media.schema),
    examples: readable.test(mediaType) ? examplesOf(media) : [],
  }));
}

function examplesOf({ example, examples = {} }: MediaType): Example[] {
  const named = Object.entries(examples as Record<string, { summary?: string; value?: unknown }>);
  const all = example === undefined ? named : [['Example', { value: example }] as const, ...named];
  return all
    .filter(([, { value }]) => value !== undefined)
    .map(([key, one]) => ({
      name: ('summary' in one && one.summary) || key,
      text: typeof one.value === 'string' ? one.value : JSON.stringify(one.value, null, 2),
      isJson: typeof one.value !== 'string',
    }));
}

function headersOf(responses: [status: string, ResponseObject][]): Header[] {
  const found = new Map<string, Header>();
  for (const [status, { headers = {} }] of responses) {
    for (const [name, header] of Object.entries(headers)) {
      const { description = '' } = header as Described;
      const key = `${name} ${description}`;
      const before = found.get(key);
      found.set(key, { name, description, statuses: [...(before?.statuses ?? []), status] });
    }
  }
  return [...found.values()];
}
