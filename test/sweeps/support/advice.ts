import type { Operation } from './contract.ts';
import { operations } from './contract.ts';

/** What a sweep says of an operation that breaks a rule: the rule, the file to change, and the line or the exception. */
const rules = {
  identity: ({ id, resource }) =>
    `${id} has a \`security\` in spec/paths/${resource}.yaml, so a request without a caller must end in ` +
    'server/src/http/dispatch.ts with 401, before its path, its body or its handler is looked at. If the operation is ' +
    'to be public, declare `security: []` there',
  permission: ({ id, resource }) =>
    `${id} names its object in the path, so server/src/http/dispatch.ts settles its permission before the body. Find the ` +
    `object in server/src/store/addressable-objects.ts, and leave the check to it: none in server/src/handlers/${resource}.ts`,
  parent: ({ id }) =>
    `${id} must look for the object below what the path names before it: add the parent to the \`where\` of its ` +
    `statement in server/src/store/, and return its 404`,
  refusal: ({ id, resource }) =>
    `${id} must refuse each of these as its contract says. Tighten the schema in spec/schemas/${resource}.yaml or the ` +
    `parameter in spec/paths/${resource}.yaml, then run npm run generate. What a schema cannot say, refuse in ` +
    `server/src/handlers/${resource}.ts: \`return refuse(400, 'body_invalid')\``,
  unchanged: ({ id, resource }) =>
    `${id} must change nothing when it refuses. In server/src/handlers/${resource}.ts, refuse before the first write, or ` +
    'throw, which ends the transaction; a returned refusal does not undo what was written before it',
  event: ({ id, resource }) =>
    `${id} changes something, so it records its event in the same transaction. In server/src/handlers/${resource}.ts, add ` +
    "`await recordEvent(database, { type: '<object>.<changed>', organizationId, workspaceId, data, now })`; describe a " +
    `new type in spec/webhooks/${resource}.yaml. If nobody needs to know of the change, say so in ` +
    `spec/paths/${resource}.yaml: \`x-no-event: <why>\` beside \`operationId: ${id}\``,
  failure: ({ id, resource }) =>
    `When something that it needs fails, ${id} must respond with the error that its contract documents. In ` +
    `server/src/handlers/${resource}.ts and server/src/store/, let the error pass: catch none, and write ` +
    'with the `database` of the request, which is its transaction',
  head: ({ id, resource }) =>
    `HEAD must respond like GET, without a body (RFC 9110, 9.3.2). Set the headers of ${id} in its result in ` +
    `server/src/handlers/${resource}.ts, which serves both; server/src/http/reply.ts leaves out the body`,
  late: ({ id, resource }) =>
    `${id} must look at its caller again once the whole body has arrived: server/src/http/dispatch.ts does so before it ` +
    `calls the handler. Read no body in server/src/handlers/${resource}.ts`,
  example: ({ id, resource }) =>
    `Whoever sends an example of ${id} to a new platform must get the response that the portal shows. Mend the ` +
    `example in spec/examples/${resource}.yaml, or what ${id} does in server/src/handlers/${resource}.ts`,
} satisfies Record<string, (operation: Operation) => string>;

export type Rule = keyof typeof rules;
export const ruleNames = Object.keys(rules) as Rule[];

export function advice(rule: Rule, operation: Operation): string {
  return rules[rule](operation);
}

/** The operations that change something for a caller. */
export const changing = operations.filter(({ method, secured }) => method !== 'GET' && secured);

/** Those that must record an event: every change, unless the contract says why not. */
export const recording = changing.filter(({ operation }) => !('x-no-event' in operation));
