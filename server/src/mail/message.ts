import type { SendMailOptions } from 'nodemailer';
import { definitionTexts } from '../domain/definition-texts.ts';
import { html, trusted } from '../domain/html.ts';
import { type Language, languageOf, readableMoment } from '../domain/languages.ts';
import { isMailAddress } from '../domain/mail-addresses.ts';
import type { FoundLink } from '../store/links.ts';

export interface Message {
  /** The same for every attempt. */
  id: string;
  to: { name: string | null; address: string };
  subject: string;
  text: string;
  html?: string | undefined;
  /** Marks the message: it is sent from the sandbox environment or from a workspace of the type SANDBOX. */
  sandbox: boolean;
}

export type Sender = { name: string; address: string };

/** The message cannot be delivered by any further attempt. */
export class Undeliverable extends Error {}

const sandboxNote =
  'SANDBOX: this is a test message. Nothing in it is real. / Ceci est un message de test : rien n’est réel.';

/**
 * Converts a message for nodemailer, which encodes names and texts. Characters that could end a header are removed.
 *
 * @throws Undeliverable if the address is invalid
 */
export function toMail(message: Message, from: Sender, now: Date): SendMailOptions {
  const { id, to, html, sandbox } = message;
  if (!isMailAddress(to.address)) throw new Undeliverable('The recipient is not a valid e-mail address.');
  const subject = `${sandbox ? '[SANDBOX] ' : ''}${oneLine(message.subject)}`;
  return {
    messageId: `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
    date: now,
    from: { name: oneLine(from.name), address: from.address },
    to: { name: oneLine(to.name ?? ''), address: to.address },
    subject,
    text: sandbox ? `${sandboxNote}\n\n${message.text}` : message.text,
    ...(html !== undefined && { html: sandbox ? marked(html) : html }),
    // RFC 3834: suppresses out-of-office replies.
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Replaces line breaks and other control characters, which could start another header. */
function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 500)
    .toWellFormed();
}

function marked(html: string): string {
  const note = `<p style="padding:8px 12px;background:#fff3c4;color:#4a3800">${sandboxNote}</p>`;
  const start = html.search(/<body/i);
  const end = start === -1 ? 0 : html.indexOf('>', start) + 1;
  return html.slice(0, end) + note + html.slice(end);
}

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
      `${organization} asks you to complete the form “${title}”. Subject: ${caseName}.`,
    open: 'Open the page',
    address: 'View the details and submit them on this page:',
    terms: ({ until }: Details) =>
      `You can use the link once, until ${until}. Opening it submits nothing: you confirm on the page. ` +
      'Do not forward it: anyone who has the link can use it.',
    unexpected: 'If you did not expect this email, you can ignore it.',
  },
  fr: {
    greeting: (name: string | null) => (name ? `Bonjour ${name},` : 'Bonjour,'),
    invitation: ({ organization, title, caseName }: Details) =>
      `${organization} vous invite à remplir le formulaire « ${title} ». Objet : ${caseName}.`,
    open: 'Ouvrir la page',
    address: 'Consultez les détails et envoyez le formulaire sur cette page :',
    terms: ({ until }: Details) =>
      `Vous pouvez utiliser ce lien une seule fois, jusqu’au ${until}. L’ouvrir n’envoie rien : vous confirmez sur la page. ` +
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
