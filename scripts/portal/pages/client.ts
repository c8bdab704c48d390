import type { Contract } from '../../contract/source.ts';
import { clientResources, methodErrors, methodSignature } from '../../generate/client-operations.ts';

type Resource = ReturnType<typeof clientResources>[number];
type Method = Resource['methods'][number];

/**
 * `/docs/client` as Markdown: the client's README, and every method with its signature and errors.
 *
 * @param readme of the client; its title is left out
 */
export function clientText(contract: Contract, readme: string): string {
  const resources = clientResources(contract);
  const withToken = resources.flatMap(({ methods }) => methods.filter(needsToken)).map(errorLines);
  const common = (withToken[0] ?? []).filter((line) => withToken.every((lines) => lines.includes(line)));
  return [
    readme.trim().replace(/^# .*\n+/, ''),
    '## All methods',
    `Methods of \`operations(client)\` in \`@wrp/client/operations\`. The types \`BodyOf\`, \`OperationOptions\` and \
\`OperationResult\` are the request body, the options and the response of an operation, which the reference lists field \
by field. Every method that needs a token throws ${listed(common)}; the others that it throws are listed with it.`,
    ...resources.map((resource) => resourceText(resource, common)),
  ].join('\n\n');
}

function resourceText({ tag, name, description, methods }: Resource, common: readonly string[]): string {
  const texts = methods.map((method) => {
    const { operation } = method;
    const { generics, parameters, returns } = methodSignature(method);
    const lines = parameters.map((one) => `  ${one},\n`).join('');
    const signature = `${name}.${method.name}${generics}(\n${lines}): ${returns}`;
    const reference = `#/${tag}/${operation.operationId.toLowerCase()}`;
    const errors = errorLines(method).filter((line) => !needsToken(method) || !common.includes(line));
    return [
      `#### ${name}.${method.name}`,
      `[${operation.summary}](${reference}).`,
      `\`\`\`ts\n${signature}\n\`\`\``,
      ...(errors.length > 0 ? [`Throws:\n\n${errors.map((line) => `- ${line}`).join('\n')}`] : []),
    ].join('\n\n');
  });
  return [`### ${name}`, description, ...texts].join('\n\n');
}

function needsToken({ operation }: Method): boolean {
  return Boolean(operation.security?.length);
}

function errorLines(method: Method): string[] {
  return methodErrors(method).map(({ name, codes }) => {
    const quoted = codes.map((code) => `\`${code}\``).join(', ');
    return `\`${name}\`${quoted ? ` (${quoted})` : ''}`;
  });
}

function listed(words: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(words);
}
