import type { Language } from '../domain/languages.ts';

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

function textOf(given: unknown, locales: string[]): string | undefined {
  if (typeof given === 'string') return given.trim() || undefined;
  if (!isObject(given)) return undefined;
  const spoken = locales
    .map((locale) => given[locale])
    .find((text) => typeof text === 'string' && text.trim());
  const any = spoken ?? Object.values(given).find((text) => typeof text === 'string' && text.trim());
  return any as string | undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
