import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { NodemailerError } from 'nodemailer';
import type { Logger } from 'pino';
import { replaceDurably } from '../../durable-files/index.ts';
import { type Message, type Sender, toMail, Undeliverable } from './message.ts';

export interface MailSender {
  /** Connects to the mail server and signs in. @throws if that fails */
  check?(): Promise<void>;
  /**
   * Resolves when the message is handed over to the mail server or written to its file.
   *
   * @throws Undeliverable if another attempt would fail in the same way. Retry after any other error.
   */
  send(message: Message, now: Date): Promise<void>;
}

export const mailOutcomes = ['sent', 'failed', 'discarded'] as const;
/** Of an attempt. `failed`: it will be repeated. */
export type MailOutcome = (typeof mailOutcomes)[number];

/** @param count called for each attempt */
export function countingSender(sender: MailSender, count: (outcome: MailOutcome) => void): MailSender {
  return {
    async send(message, now) {
      try {
        await sender.send(message, now);
        count('sent');
      } catch (error) {
        count(error instanceof Undeliverable ? 'discarded' : 'failed');
        throw error;
      }
    },
  };
}

/** Shorter than the job's timeout, after which another process takes over the job. */
const timeouts = {
  dnsTimeout: 10_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 30_000,
};

// Loaded for the first message, because it would take a twentieth of the platform's start.
const nodemailer = () => import('nodemailer');

/** @param url SMTP_URL. Its query may contain options of nodemailer, such as `ignoreTLS=true`. */
export function smtpSender({ url, from }: { url: string; from: Sender }): MailSender {
  let transport: ReturnType<typeof openTransport> | undefined;
  const openTransport = async () => (await nodemailer()).createTransport({ ...timeouts, url });
  return {
    async check() {
      const opened = (await nodemailer()).createTransport({ ...timeouts, url });
      try {
        await opened.verify();
      } catch (error) {
        throw new Error(`The mail server of SMTP_URL cannot be used: ${codesOf(error as NodemailerError)}.`);
      } finally {
        opened.close();
      }
    },
    async send(message, now) {
      const mail = toMail(message, from, now);
      transport ??= openTransport();
      const opened = await transport;
      try {
        await opened.sendMail(mail);
      } catch (error) {
        throw toSendError(error as NodemailerError);
      }
    },
  };
}

/** Keeps only the codes of an error: its message may repeat what was sent. */
function toSendError(error: NodemailerError): Error {
  const { code, responseCode } = error;
  const codes = codesOf(error);
  // Only for this recipient or message. After another refusal, such as that of a login, the operator can fix it.
  const permanent = (code === 'EENVELOPE' || code === 'EMESSAGE') && (responseCode ?? 0) >= 500;
  if (permanent) return new Undeliverable(`The mail server rejected the message: ${codes}.`);
  return new Error(`Sending the message to the mail server failed: ${codes}.`);
}

const codesOf = ({ code, responseCode }: NodemailerError) =>
  [code, responseCode].filter(Boolean).join(' ') || 'unknown';

interface OutboxOptions {
  directory: string;
  environment: string;
  from: Sender;
  logger: Logger;
}

/**
 * Writes each message to a file `.eml` instead of sending it. The file is created atomically and is readable only by
 * its owner. A retry writes the same file again.
 */
export function outboxSender({ directory, environment, from, logger }: OutboxOptions): MailSender {
  return {
    async send(message, now) {
      const { createTransport } = await nodemailer();
      const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
      const { message: bytes } = await composer.sendMail(toMail(message, from, now));
      const file = join(directory, `${environment}-${message.id}.eml`);
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await replaceDurably(file, bytes as Buffer);
      logger.info({ file }, 'SMTP_URL is not set: the message was written to a file instead of being sent');
    },
  };
}
