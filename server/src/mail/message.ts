import type { SendMailOptions } from 'nodemailer';
import { isMailAddress } from '../domain/mail-addresses.ts';

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
