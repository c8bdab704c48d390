import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../server/src/config.ts';
import { api as startApi } from '../support/api.ts';
import { confirm, destination, formTokenOf, linksOf, page, tokenOf } from './support.ts';

const read = (env: Record<string, string>) => readConfig({ DATA_DIR: '/tmp', ...env });
const smtp = { SMTP_URL: 'smtp://mail.example' };

describe('settings', () => {
  test('MAIL_FROM sets the sender', () => {
    const from = (text: string) => read({ MAIL_FROM: text }).mailFrom;
    expect(from('claims@example.com')).toEqual({ name: '', address: 'claims@example.com' });
    expect(from('Claims & more <claims@example.com>')).toEqual({
      name: 'Claims & more',
      address: 'claims@example.com',
    });
    expect(from('"Alder, Finch" <claims@example.com>').name).toBe('Alder, Finch');
    expect(read({})).toMatchObject({ smtpUrl: undefined, linkBaseUrls: { production: undefined } });
  });

  test.each<[string, Record<string, string>, RegExp]>([
    ['an address of links', { LINK_BASE_URL: 'go.example.com' }, /^LINK_BASE_URL must be/],
    ['an address with a query', { LINK_BASE_URL: 'https://go.example.com/?a=b' }, /^LINK_BASE_URL must/],
    ['the sandbox’s', { SANDBOX_LINK_BASE_URL: 'ftp://x' }, /^SANDBOX_LINK_BASE_URL must be/],
    ['a mail server', { ...smtp, SMTP_URL: 'mail.example:25' }, /^SMTP_URL must be like smtp:/],
    ['a sender for the mail server', smtp, /^MAIL_FROM must be set where SMTP_URL is/],
    ['a sender', { ...smtp, MAIL_FROM: 'Claims' }, /^MAIL_FROM must be an address/],
    ['a sender of one line', { MAIL_FROM: 'A\r\nBcc: x@y.example <a@b.example>' }, /^MAIL_FROM must be/],
    ['one sender', { MAIL_FROM: 'a@b.example, c@d.example' }, /^MAIL_FROM must be an address/],
  ])('%s: an error is reported in one line', (_case, env, line) => {
    expect(() => read(env)).toThrow(ConfigError);
    expect(() => read(env)).toThrow(line);
    expect(() => read(env)).not.toThrow(/\n/);
  });

  test('error messages do not contain the password of SMTP_URL', () => {
    expect(() => read({ SMTP_URL: 'http://me:hush@mail.example' })).not.toThrow(/hush/);
  });
});

test.each([
  ['a host of its own', 'https://go.example.com', ''],
  ['a path behind a proxy', 'https://www.example.com/go', '/go'],
])('LINK_BASE_URL, %s: links start with it and their pages are served', async (_case, base, path) => {
  const api = await startApi({ linkBaseUrls: { production: base, sandbox: undefined } });
  const links = linksOf(api);
  const link = await links.link({ definition: await links.definition() });
  expect(link).toBe(`${base}/${tokenOf(link)}`);
  // A proxy passes on its own path or the server's.
  for (const mount of [path, '/links']) {
    const address = `${api.baseUrl}${mount}/${tokenOf(link)}`;
    expect((await page(address)).status).toBe(200);
    if (mount === '/links') continue;
    const progress = destination(address, await confirm(address, { form: formTokenOf(await page(address)) }));
    expect(progress).toContain(`${mount}/progress/`);
    expect((await page(progress)).status).toBe(200);
    expect((await page(address)).status).toBe(410);
    await api.database.updateTable('links').set({ used_at: null, execution_id: null }).execute();
  }
  expect((await page(`${api.baseUrl}${path}/nowhere`)).headers.get('Content-Type')).toBe('application/json');
  expect((await page(`${api.baseUrl}/healthz`)).status).toBe(200);
});
