/** The languages of link pages and messages. */
export const languages = ['en', 'fr'] as const;
export type Language = (typeof languages)[number];

/** The language of a locale, if supported: `fr` for `fr-CA`. */
export function languageOf(locale: string): Language | undefined {
  const [primary = ''] = locale.toLowerCase().split('-');
  return languages.find((language) => language === primary);
}

/** The supported language that a browser prefers (RFC 9110, section 12.5.4). */
export function acceptedLanguage(header: string | undefined): Language | undefined {
  const wanted = (header ?? '')
    .slice(0, 1000)
    .split(',')
    .map((text, order) => {
      const [range = '', ...parameters] = text.trim().split(';');
      const weight = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/i.exec(parameter)?.[1]).find(Boolean);
      return { language: languageOf(range), weight: Number(weight ?? 1), order };
    });
  return wanted
    .filter(({ language, weight }) => language && weight > 0)
    .sort((a, b) => b.weight - a.weight || a.order - b.order)[0]?.language;
}

/** Formats a date and time in UTC. */
export function readableMoment(moment: Date, language: Language): string {
  const time = { hour: '2-digit', minute: '2-digit', timeZone: 'UTC', timeZoneName: 'short' } as const;
  const day = { day: 'numeric', month: 'long', year: 'numeric' } as const;
  return new Intl.DateTimeFormat(regions[language], { ...day, ...time }).format(moment);
}

/** Day before month, 24 hours. */
export const regions: Record<Language, string> = { en: 'en-GB', fr: 'fr-FR' };
