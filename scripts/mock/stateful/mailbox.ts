import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A message of the mock's outbox. */
export interface Mail {
  file: string;
  to: string;
  subject: string;
  /** The plain text, as its reader sees it. */
  text: string;
  /** The addresses of the text, in their order. */
  links: string[];
  /** The whole message, as it would have left (RFC 5322). */
  message: string;
}

/** Every message of a folder, in no particular order; none where there is no folder. */
export async function mailsIn(directory: string): Promise<Mail[]> {
  const names = await readdir(directory).catch(() => []);
  const written = names.filter((name) => name.endsWith('.eml'));
  return Promise.all(
    written.map(async (file) => ({ file, ...readMail(await readFile(join(directory, file), 'utf8')) })),
  );
}

/** Reads a message as nodemailer composes the platform's own: a text, alone or beside its HTML. */
export function readMail(message: string): Omit<Mail, 'file'> {
  const { headers, body } = partOf(message);
  const [, boundary] = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '') ?? [];
  const parts = boundary ? body.split(`--${boundary}`).slice(1, -1).map(partOf) : [{ headers, body }];
  const plain = parts.find((part) => part.headers['content-type']?.startsWith('text/plain'));
  const text = plain ? decoded(plain.body, plain.headers['content-transfer-encoding']) : '';
  return {
    to: words(headers['to'] ?? ''),
    subject: words(headers['subject'] ?? ''),
    text,
    links: text.match(/https?:\/\/\S+/g) ?? [],
    message,
  };
}

function partOf(source: string): { headers: Record<string, string>; body: string } {
  const text = source.replace(/^\r\n/, '');
  const end = text.indexOf('\r\n\r\n');
  const lines = text
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { headers: Object.fromEntries(headers), body: text.slice(end + 4) };
}

function decoded(body: string, encoding = '7bit'): string {
  const kind = encoding.toLowerCase();
  const text =
    kind === 'base64'
      ? Buffer.from(body, 'base64').toString()
      : kind === 'quoted-printable'
        ? unquoted(body.replaceAll('=\r\n', ''))
        : body;
  return text.replaceAll('\r\n', '\n').trimEnd();
}

/** Encoded words (RFC 2047); blanks between two of them are none of the text. */
function words(header: string): string {
  return header
    .replaceAll(/(\?=)\s+(?==\?)/g, '$1')
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString()
        : unquoted(text.replaceAll('_', ' ')),
    );
}

/** Each run of bytes together: a character may be several. */
function unquoted(text: string): string {
  return text.replaceAll(/(?:=[0-9A-F]{2})+/gi, (run) =>
    Buffer.from(run.replaceAll('=', ''), 'hex').toString(),
  );
}
