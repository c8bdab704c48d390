import { camelOfKebab, sentence } from './words.ts';

/** Adds lines at the end of what a key of the first level holds. */
export function appended(text: string, key: string, lines: string): string {
  return text.replace(new RegExp(`^${key}:\\n(?:[ #].*\\n|\\n)*`, 'm'), (block) => block + lines);
}

/** Adds the tag of a resource before that of the webhooks, and to the group of the API. */
export function appendedTag(text: string, resource: string, description: string): string {
  const title = sentence(camelOfKebab(resource));
  const tag = `  - name: ${resource}\n    x-displayName: ${title}\n    description: ${description}\n`;
  const last = '  - name: webhooks\n';
  const tagged = text.includes(last) ? text.replace(last, tag + last) : appended(text, 'tags', tag);
  return tagged
    .replace(/(- name: API\n\s+tags: \[)([^\]]*)\]/, `$1$2, ${resource}]`)
    .replace(/- name: API\n {4}tags:\n(?: {6}- .*\n)+/, (group) => `${group}      - ${resource}\n`);
}
