import { definitionTexts } from '../domain/definition-texts.ts';
import { html, trusted } from '../domain/html.ts';
import { type Language, languageOf, readableMoment } from '../domain/languages.ts';
import type { FoundLink } from '../store/links.ts';

interface Details {
  organization: string;
  title: string;
  caseName: string;
  until: string;
}

const texts = {
  en: {
    greeting: (name: string | null) => (name ? `Hello ${name},` : 'Hello,'),
    invitation: ({ organization, title, caseName }: Details) =>
      `${organization} invites you to start “${title}”. Subject: ${caseName}.`,
    open: 'Open the page',
    address: 'View the details and start on this page:',
    terms: ({ until }: Details) =>
      `You can use the link once, until ${until}. Opening it starts nothing: you confirm on the page. ` +
      'Do not forward it: anyone who has the link can use it.',
    unexpected: 'If you did not expect this email, you can ignore it.',
  },
  fr: {
    greeting: (name: string | null) => (name ? `Bonjour ${name},` : 'Bonjour,'),
    invitation: ({ organization, title, caseName }: Details) =>
      `${organization} vous invite à lancer « ${title} ». Objet : ${caseName}.`,
    open: 'Ouvrir la page',
    address: 'Consultez les détails et lancez la démarche sur cette page :',
    terms: ({ until }: Details) =>
      `Vous pouvez utiliser ce lien une seule fois, jusqu’au ${until}. L’ouvrir ne lance rien : vous confirmez sur la page. ` +
      'Ne le transférez pas : toute personne qui le possède peut l’utiliser.',
    unexpected: 'Si vous n’attendiez pas ce message, vous pouvez l’ignorer.',
  },
};

/** The email with a single-use link, in the definition's default language or in English. */
export function linkMessage(
  { definition, organization, contact, case: { name: caseName }, expiresAt }: FoundLink,
  address: string,
): { subject: string; text: string; html: string } {
  const language: Language = languageOf(definition.defaultLocale) ?? 'en';
  const phrases = texts[language];
  const { title } = definitionTexts({ ...definition, uiOptions: definition.revision?.uiOptions }, language);
  const until = readableMoment(expiresAt, language);
  const details: Details = { organization: organization.name, title, caseName, until };
  const opening = [phrases.greeting(contact.name), phrases.invitation(details)];
  const closing = [phrases.terms(details), phrases.unexpected];
  const text = [...opening, `${phrases.address}\n${address}`, ...closing].join('\n\n');
  const button = 'display:inline-block;padding:12px 20px;border-radius:8px;background:#1d4ed8;color:#ffffff';
  const page = html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><title>${title}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 sans-serif">
<div style="max-width:36em">
${opening.map((paragraph) => html`<p>${paragraph}</p>\n`)}
<p><a href="${address}" style="${trusted(button)};text-decoration:none;font-weight:bold">${phrases.open}</a></p>
<p>${phrases.address}<br><a href="${address}" style="word-break:break-all">${address}</a></p>
${closing.map((paragraph) => html`<p style="font-size:14px">${paragraph}</p>\n`)}
</div></body></html>
`;
  return { subject: `${organization.name}: ${title}`, text: `${text}\n`, html: page.markup };
}
