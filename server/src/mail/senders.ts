import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport, type NodemailerError } from 'nodemailer';
import type { Logger } from 'pino';
import { type Message, type Sender, toMail, Undeliverable } from './message.ts';

export interface MailSender {
  /**
   * Resolves when the message is somebody else's to deliver.
   *
   * @throws Undeliverable where another attempt would end the same; any other failure is worth one
   */
  send(message: Message, now: Date): Promise<void>;
}

/** A mail server may take its time, but not so much that the job is given to another process. */
const patience = {
  dnsTimeout: 10_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 30_000,
};

/** @param url as SMTP_URL; its query may hold options of nodemailer, such as `ignoreTLS=true` */
export function smtpSender({ url, from }: { url: string; from: Sender }): MailSender {
  const transport = createTransport({ ...patience, url });
  return {
    async send(message, now) {
      const mail = toMail(message, from, now);
      try {
        await transport.sendMail(mail);
      } catch (error) {
        throw explained(error as NodemailerError);
      }
    },
  };
}

/** The error's own text may repeat what the server was sent: only its codes are passed on. */
function explained({ code, responseCode }: NodemailerError): Error {
  const what = [code, responseCode].filter(Boolean).join(' ') || 'unknown';
  // A refusal of this very recipient or message. Of a login, say, it is the operator's to mend.
  const forGood = (code === 'EENVELOPE' || code === 'EMESSAGE') && (responseCode ?? 0) >= 500;
  if (forGood) return new Undeliverable(`The mail server refuses the message: ${what}.`);
  return new Error(`The mail server did not take the message: ${what}.`);
}

/**
 * Writes messages to files instead, one `.eml` each, that appear whole and are readable by their owner only.
 * An attempt that is made again writes the same file again.
 */
export function outboxSender({
  directory,
  environment,
  from,
  logger,
}: {
  directory: string;
  environment: string;
  from: Sender;
  logger: Logger;
}): MailSender {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    async send(message, now) {
      const { message: bytes } = await composer.sendMail(toMail(message, from, now));
      const file = join(directory, `${environment}-${message.id}.eml`);
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const draft = join(directory, `.${environment}-${message.id}.part`);
      const handle = await open(draft, 'w', 0o600);
      try {
        await handle.writeFile(bytes as Buffer);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(draft, file);
      logger.info({ file }, 'SMTP_URL is not set: a message was written to a file instead of being sent');
    },
  };
}
