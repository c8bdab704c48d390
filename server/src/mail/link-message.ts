import { html, trusted } from '../domain/html.ts';
import { type Language, languageOf, readableMoment } from '../domain/languages.ts';
import type { FoundLink } from '../store/links.ts';
import { definitionTexts } from '../workflows/titles.ts';

interface Told {
  organization: string;
  title: string;
  caseName: string;
  until: string;
}

const texts = {
  en: {
    greeting: (name: string | null) => (name ? `Hello ${name},` : 'Hello,'),
    asks: ({ organization, title, caseName }: Told) =>
      `${organization} asks you to start “${title}”. It is about: ${caseName}.`,
    open: 'Open the page',
    address: 'Look at what it is about, and start it on this page:',
    terms: ({ until }: Told) =>
      `The link works once, until ${until}. Opening it starts nothing: you confirm on the page. ` +
      'Please do not pass it on: whoever has it can use it.',
    unexpected: 'If you did not expect this message, you need not do anything.',
  },
  fr: {
    greeting: (name: string | null) => (name ? `Bonjour ${name},` : 'Bonjour,'),
    asks: ({ organization, title, caseName }: Told) =>
      `${organization} vous invite à lancer « ${title} ». Objet : ${caseName}.`,
    open: 'Ouvrir la page',
    address: 'Voyez de quoi il s’agit et lancez la démarche sur cette page :',
    terms: ({ until }: Told) =>
      `Le lien ne sert qu’une fois, jusqu’au ${until}. L’ouvrir ne lance rien : vous confirmez sur la page. ` +
      'Ne le transmettez pas : toute personne qui l’a peut s’en servir.',
    unexpected: 'Si vous n’attendiez pas ce message, vous n’avez rien à faire.',
  },
};

/** What the contact of a case is told, in the language of the definition, or in English. */
export function linkMessage(
  { definition, organization, contact, case: { name: caseName }, expiresAt }: FoundLink,
  address: string,
): { subject: string; text: string; html: string } {
  const language: Language = languageOf(definition.defaultLocale) ?? 'en';
  const say = texts[language];
  const { title } = definitionTexts({ ...definition, uiOptions: definition.revision?.uiOptions }, language);
  const told = {
    ...{ organization: organization.name, title, caseName },
    until: readableMoment(expiresAt, language),
  };
  const paragraphs = [say.greeting(contact.name), say.asks(told)];
  const closing = [say.terms(told), say.unexpected];
  const text = [...paragraphs, `${say.address}\n${address}`, ...closing].join('\n\n');
  const button = 'display:inline-block;padding:12px 20px;border-radius:8px;background:#1d4ed8;color:#ffffff';
  const page = html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><title>${title}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 sans-serif">
<div style="max-width:36em">
${paragraphs.map((paragraph) => html`<p>${paragraph}</p>\n`)}
<p><a href="${address}" style="${trusted(button)};text-decoration:none;font-weight:bold">${say.open}</a></p>
<p>${say.address}<br><a href="${address}" style="word-break:break-all">${address}</a></p>
${closing.map((paragraph) => html`<p style="font-size:14px">${paragraph}</p>\n`)}
</div></body></html>
`;
  return { subject: `${organization.name}: ${title}`, text: `${text}\n`, html: page.markup };
}
