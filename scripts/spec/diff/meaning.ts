import { errorCodesOf, type Route, routesOf } from '../../../server/contract/index.ts';
import type { Contract } from '../../contract/source.ts';
import type { Change } from './changes.ts';

const statusHeader = /^the header `([^`]+)` of \d+$/;
const status = /^the status (\d+)$/;
const parameter = /^the (path|query|header) parameter `([^`]+)`/;
const typedParameter = /^(the \w+ parameter `[^`]+`) \(/;
const constraint = /^(?:`([^`]+)`: )?`(\w+)` was (none|`.+`) and is (none|`.+`)\.$/;

/** What a value must be, by the keyword of its schema. */
const rules: Record<string, (value: string) => string> = {
  pattern: (value) => `must match ${value}`,
  format: (value) => `must have the format ${value}`,
  minLength: (value) => `must have at least ${value} characters`,
  maxLength: (value) => `must have at most ${value} characters`,
  minItems: (value) => `must have at least ${value} items`,
  maxItems: (value) => `must have at most ${value} items`,
  minProperties: (value) => `must have at least ${value} fields`,
  maxProperties: (value) => `must have at most ${value} fields`,
  minimum: (value) => `must be at least ${value}`,
  maximum: (value) => `must be at most ${value}`,
};

/**
 * Says what changes mean for a caller: a header of many statuses is one change, and headers, parameters and statuses
 * have the first sentence of their description or their error codes.
 *
 * @param contract the version that has what was added
 */
export function withMeaning(changes: Change[], contract: Contract): Change[] {
  const routes = new Map(routesOf(contract).map((route) => [route.operation.operationId, route]));
  const worded = changes.map((change) => ({ ...change, text: wordingOf(change, routes.get(change.name)) }));
  const distinct = new Map(worded.map((change) => [JSON.stringify(change), change]));
  // An added parameter is reported with its type, and again without.
  const typed = new Set(worded.map(({ name, text }) => `${name} ${typedParameter.exec(text)?.[1]}`));
  return [...distinct.values()].filter(({ kind, name, text }) => {
    const [untyped] = parameter.exec(text) ?? [];
    return kind !== 'added' || !untyped || typedParameter.test(text) || !typed.has(`${name} ${untyped}`);
  });
}

function wordingOf({ kind, text }: Change, route: Route | undefined): string {
  const [, header] = statusHeader.exec(text) ?? [];
  if (header) {
    if (kind === 'removed') return `responses no longer have the header \`${header}\`.`;
    const headers = Object.values(route?.operation.responses ?? {}).map(
      (response) => response.headers?.[header],
    );
    return joined(`responses have the header \`${header}\`.`, headers.find(Boolean));
  }
  const [, code] = status.exec(text) ?? [];
  if (code) {
    const response = route?.operation.responses[code];
    const codes = response && kind === 'added' ? errorCodesOf(response).map((one) => `\`${one}\``) : [];
    return `${kind === 'removed' ? 'no longer responds' : 'can respond'} with ${code}${codes.length > 0 ? `: ${codes.join(', ')}` : ''}.`;
  }
  const [, place, name] = parameter.exec(text) ?? [];
  if (place && kind === 'added') {
    const described = route?.operation.parameters.find((one) => one.name === name && one.in === place);
    return joined(`${text}.`, described);
  }
  const [, field, keyword = '', , after = ''] = constraint.exec(text) ?? [];
  const rule = rules[keyword];
  if (!rule) return text;
  const subject = field ? `\`${field}\`` : 'It';
  if (after === 'none') return `${subject} has no limit \`${keyword}\` any more.`;
  const limit = rule(after.replace(/^`(\d+)`$/, '$1'));
  return `${subject} ${limit.replace(/\b(1 \w+)s$/, '$1')}.`;
}

/** A text, and the first sentence of a description. */
function joined(text: string, described: object | undefined): string {
  const { description = '' } = (described ?? {}) as { description?: string };
  const [sentence = ''] = /^[^\n]*?\.(?=\s|$)/.exec(description) ?? [];
  return [text, sentence].filter(Boolean).join(' ');
}
