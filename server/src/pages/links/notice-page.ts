import { html } from '../../domain/html.ts';
import type { Language } from '../../domain/languages.ts';
import { pageText } from './layout.ts';
import { type Texts, textsOf } from './texts.ts';

export type Notice = keyof Texts['notice'];

/** Renders a page with a message only. */
export function noticePage({
  notice,
  language,
  organization,
  sandbox = false,
  next,
  reference,
}: {
  notice: Notice;
  language: Language;
  organization?: string | undefined;
  sandbox?: boolean;
  /** The link to continue with. */
  next?: { href: string; text: string } | undefined;
  /** The request id in the log. */
  reference?: string;
}): string {
  const texts = textsOf[language];
  const { title, text } = texts.notice[notice];
  const main = html`<h1>${title}</h1>
<p>${text}</p>
${next && html`<p class="actions"><a class="button" href="${next.href}">${next.text}</a></p>`}`;
  const foot = reference !== undefined && html`${texts.reference}${texts.colon}${reference}`;
  return pageText({ language, title, organization, sandbox, main, foot });
}
