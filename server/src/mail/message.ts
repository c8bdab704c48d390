import type { SendMailOptions } from 'nodemailer';
import { isMailAddress } from '../domain/mail-addresses.ts';

/** A message as it leaves. */
export interface Message {
  /** The same for every attempt to send it. */
  id: string;
  to: { name: string | null; address: string };
  subject: string;
  text: string;
  html?: string | undefined;
  /** It leaves the sandbox, or a workspace of the type SANDBOX: it says so. */
  sandbox: boolean;
}

export type Sender = { name: string; address: string };

/** A message that no attempt will ever deliver. */
export class Undeliverable extends Error {}

const sandboxNote =
  'SANDBOX: this message comes from a test. Nothing in it is real. / Ceci est un essai : rien n’est réel.';

/**
 * The message in the terms of nodemailer, which encodes names and texts. Whatever could end a header is taken
 * out before.
 *
 * @throws Undeliverable where it has no proper address
 */
export function toMail(message: Message, from: Sender, now: Date): SendMailOptions {
  const { id, to, html, sandbox } = message;
  if (!isMailAddress(to.address)) throw new Undeliverable('The recipient is no e-mail address.');
  const subject = `${sandbox ? '[SANDBOX] ' : ''}${oneLine(message.subject)}`;
  return {
    messageId: `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
    date: now,
    from: { name: oneLine(from.name), address: from.address },
    to: { name: oneLine(to.name ?? ''), address: to.address },
    subject,
    text: sandbox ? `${sandboxNote}\n\n${message.text}` : message.text,
    ...(html !== undefined && { html: sandbox ? marked(html) : html }),
    // RFC 3834: nobody's absence notice answers it.
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Control characters would end the line, and with it the header. */
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
