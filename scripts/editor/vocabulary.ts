import { isScalar } from 'yaml';
import type { Spot } from '../spec/refactor/yaml.ts';
import type { Sources } from './sources.ts';

/** A name that the contract declares: what it means, and where. */
export type Term = { name: string; text: string; file: string; offset: number };

export function operations({ yaml }: Sources): Term[] {
  const files = yaml.files.filter((file) => file.startsWith('spec/paths/'));
  const items = files.flatMap((file) => yaml.entries(yaml.at(file, [])));
  return items.flatMap(yaml.entries).flatMap((operation) => {
    const name = yaml.child(operation, 'operationId');
    return name ? termOf(textOf(name), name, yaml.child(operation, 'summary')) : [];
  });
}

/** The sentences of the schema that redocly.yaml names as the list of codes. */
export function errorCodes({ yaml }: Sources): Term[] {
  const schema = yaml.open('redocly.yaml').document.getIn(['rules', 'contract/error-codes', 'enum']);
  const files = yaml.files.filter((file) => file.startsWith('spec/schemas/'));
  const codes = files.flatMap((file) => yaml.entries(yaml.at(file, [String(schema), 'x-enumDescriptions'])));
  return codes.map((code) => termOf(code.key, code, code));
}

/** The rows of the guide that redocly.yaml names as the list of permissions. */
export function permissions({ yaml, document }: Sources): Term[] {
  const guide = yaml.open('redocly.yaml').document.getIn(['rules', 'contract/security-stated', 'guide']);
  const file = `spec/guides/${guide}.md`;
  const rows = document(file)
    .getText()
    .matchAll(/^\| *`(\w+)` *\| *(.*?) *\|/gm);
  return [...rows].map(({ 1: name = '', 2: text = '', index }) => ({ name, text, file, offset: index }));
}

/** The names of the webhooks. */
export function eventTypes({ yaml }: Sources): Term[] {
  return yaml.entries(yaml.at('spec/openapi.yaml', ['webhooks'])).map((webhook) => {
    const post = yaml.child(yaml.follow(webhook), 'post');
    return termOf(webhook.key, webhook, post && yaml.child(post, 'summary'));
  });
}

/** Everything that texts may name. */
export function terms(sources: Sources): Term[] {
  return [errorCodes, permissions, eventTypes].flatMap((list) => list(sources));
}

/** The text of a scalar; nothing else has one. */
export function textOf(spot: Spot | undefined): string {
  return isScalar(spot?.node) ? String(spot.node.value) : '';
}

function termOf(name: string, { file, offset = 0 }: Spot, meaning: Spot | undefined): Term {
  return { name, text: textOf(meaning), file, offset };
}
