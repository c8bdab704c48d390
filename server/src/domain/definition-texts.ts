import { isObject } from '../../json/index.ts';
import type { Language } from './languages.ts';

/** The title and description of a definition in a locale, from its `uiOptions`. */
export interface DefinitionTexts {
  title: string;
  description: string | undefined;
}

/**
 * `uiOptions.title` and `uiOptions.description`: text, or text by language (`{en: …, fr: …}`). The title defaults to
 * the definition's name.
 */
export function definitionTexts(
  { name, uiOptions, defaultLocale }: { name: string; uiOptions: unknown; defaultLocale: string },
  locale: string = defaultLocale,
): DefinitionTexts {
  const { title, description } = isObject(uiOptions) ? uiOptions : {};
  const locales = [locale, defaultLocale];
  return { title: textOf(title, locales) ?? name, description: textOf(description, locales) };
}

/** The texts of a property of the parameters in a language. */
export interface FieldTexts {
  title: string | undefined;
  description: string | undefined;
  /** The text of an option. */
  option(value: unknown): string | undefined;
}

/**
 * `uiOptions.fields`: for each property `title`, `description`, and `options` by value; each is text, or text by
 * language. Missing texts are taken from the input schema, which has one language.
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

function textOf(texts: unknown, locales: string[]): string | undefined {
  if (typeof texts === 'string') return texts.trim() || undefined;
  if (!isObject(texts)) return undefined;
  const candidates = [...locales.map((locale) => texts[locale]), ...Object.values(texts)];
  return candidates.find((text): text is string => typeof text === 'string' && text.trim() !== '');
}
