import type { Language } from '../domain/languages.ts';
import { isObject } from '../domain/objects.ts';

/** What a definition is called in a language, and what it says of itself, out of its `uiOptions`. */
export interface DefinitionTexts {
  title: string;
  description: string | undefined;
}

/**
 * `uiOptions.title` and `uiOptions.description`: a text, or one for each language (`{en: …, fr: …}`). Without a
 * title the definition's name is one.
 */
export function definitionTexts(
  { name, uiOptions, defaultLocale }: { name: string; uiOptions: unknown; defaultLocale: string },
  language: Language,
): DefinitionTexts {
  const { title, description } = isObject(uiOptions) ? uiOptions : {};
  const locales = [language, defaultLocale];
  return { title: textOf(title, locales) ?? name, description: textOf(description, locales) };
}

/** What a property of the parameters is called in a language. */
export interface FieldTexts {
  title: string | undefined;
  description: string | undefined;
  /** Of a value that can be chosen. */
  option(value: unknown): string | undefined;
}

/**
 * `uiOptions.fields`: by the name of a property `title`, `description`, and `options` by value, each a text or one
 * for each language. What is not there stands in the input schema, in one language.
 */
export function fieldTexts(
  { uiOptions, defaultLocale }: { uiOptions: unknown; defaultLocale: string },
  language: Language,
): (property: string) => FieldTexts {
  const locales = [language, defaultLocale];
  const fields = ownObject(uiOptions, 'fields');
  return (property) => {
    const field = ownObject(fields, property);
    const options = ownObject(field, 'options');
    const own = (name: string) => (Object.hasOwn(options, name) ? textOf(options[name], locales) : undefined);
    return {
      title: textOf(field['title'], locales),
      description: textOf(field['description'], locales),
      option: (value) => own(String(value)),
    };
  };
}

function ownObject(value: unknown, name: string): Record<string, unknown> {
  const inner = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return isObject(inner) ? inner : {};
}

function textOf(given: unknown, locales: string[]): string | undefined {
  if (typeof given === 'string') return given.trim() || undefined;
  if (!isObject(given)) return undefined;
  const spoken = locales
    .map((locale) => given[locale])
    .find((text) => typeof text === 'string' && text.trim());
  const any = spoken ?? Object.values(given).find((text) => typeof text === 'string' && text.trim());
  return any as string | undefined;
}
