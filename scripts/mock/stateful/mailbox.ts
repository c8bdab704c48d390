import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';

/** A message of the mock's outbox. */
export interface Mail {
  file: string;
  to: string;
  subject: string;
  /** The plain text. */
  text: string;
  /** The URLs in the text, in order. */
  links: string[];
  /** The whole message (RFC 5322). */
  message: string;
}

/** Every message of a folder, in no particular order; none if there is no folder. */
export async function mailsIn(directory: string): Promise<Mail[]> {
  const names = await readdir(directory).catch(() => []);
  return Promise.all(
    names
      .filter((name) => name.endsWith('.eml'))
      .map(async (file) => ({ file, ...(await readMail(await readFile(join(directory, file), 'utf8'))) })),
  );
}

export async function readMail(message: string): Promise<Omit<Mail, 'file'>> {
  const { to = [], subject = '', text = '' } = await PostalMime.parse(message);
  const addresses = to.map(({ name, address = '' }) => (name ? `${name} <${address}>` : address));
  return {
    to: addresses.join(', '),
    subject,
    text: text.trimEnd(),
    links: text.match(/https?:\/\/\S+/g) ?? [],
    message,
  };
}
