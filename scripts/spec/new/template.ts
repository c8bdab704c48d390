import { readFileSync } from 'node:fs';

/** What the names in a template stand for. */
export type Values = Record<string, string | number | boolean | undefined>;

/**
 * Fills a template: `{{name}}` becomes the value. What is between `{{#name}}` and `{{/name}}` stays if the value is true
 * or not empty, what is between `{{^name}}` and `{{/name}}` if it is not.
 *
 * @throws if a name is not defined
 */
export function filled(template: string, values: Values): string {
  const lookUp = (name: string) => {
    if (name in values) return values[name];
    throw new Error(`A template of spec:new uses {{${name}}}, which is not defined.`);
  };
  const chosen = (text: string): string =>
    text.replaceAll(section, (_, mark: string, name: string, inner: string) =>
      Boolean(lookUp(name)) === (mark === '#') ? chosen(inner) : '',
    );
  // A mark that is the only one of its line leaves no line.
  const joined = template.replaceAll(/^ *(\{\{[#^/]\w+\}\})\n/gm, '$1');
  return chosen(joined).replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(lookUp(name)));
}

const section = /\{\{([#^])(\w+)\}\}([\s\S]*?)\{\{\/\2\}\}/g;

/** A function that fills the templates of a folder by name. @param edit what is done with each before */
export function templatesIn(
  folder: URL,
  values: Values,
  edit = (template: string) => template,
): (name: string) => string {
  return (name) => filled(edit(readFileSync(new URL(name, folder), 'utf8')), values);
}
