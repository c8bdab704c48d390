import { readdir, readFile, stat } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { sql } from 'kysely';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { describe, expect, test } from 'vitest';
import { createActors } from '../support/actors.ts';
import { type Api, api as startApi } from '../support/api.ts';
import { allEvents } from '../support/events.ts';
import { given } from '../support/given.ts';
import { bringForward } from '../support/jobs.ts';
import { bodyOf } from '../support/responses.ts';
import { atEnd } from '../support/temporary.ts';
import { until } from '../support/waiting.ts';
import { workflowsOf } from '../sweeps/support/workflows.ts';
import { linksOf, page } from './support.ts';

const from = { name: 'Claims', address: 'claims@alderfinch.example' };

/** A message that the mail server received. */
interface Caught {
  recipients: string[];
  headers: Record<string, string>;
  source: string;
}

/** A mail server that keeps received messages. */
async function catcher(options: SMTPServerOptions = {}): Promise<{ url: string; caught: Caught[] }> {
  const caught: Caught[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const source = Buffer.concat(chunks).toString();
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        caught.push({ recipients, headers: headersOf(source), source });
        done();
      });
    },
    ...options,
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  atEnd(() => new Promise<void>((closed) => server.close(() => closed())));
  const { port } = server.server.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${port}?ignoreTLS=true`, caught };
}

function headersOf(source: string): Record<string, string> {
  const [head = ''] = source.split('\r\n\r\n', 1);
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
  return Object.fromEntries(
    lines.map((line) => line.split(/:\s*/s, 1).concat(line.replace(/^[^:]+:\s*/, ''))),
  );
}

/** Decodes the text of a message. */
function textOf({ source }: Caught): string {
  const part = source.slice(source.indexOf('text/plain'));
  const encoding = /Content-Transfer-Encoding: (\S+)/i.exec(part)?.[1];
  const body = part.slice(part.indexOf('\r\n\r\n') + 4).split('\r\n--')[0] ?? '';
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

type Sending = Pick<Api, 'database' | 'clock' | 'world' | 'owner' | 'given'>;

async function send(
  api: Sending,
  of: { defaultLocale?: string; name?: string; workspace?: { id: string } } = {},
) {
  const { defaultLocale = 'en', workspace = api.world.workspace, name = 'Noor Haddad' } = of;
  const links = linksOf(api);
  const uiOptions = { title: { en: 'Send photos', fr: 'Envoyer des photos' } };
  const definition = await links.definition({ uiOptions, defaultLocale, workspace });
  const contact = { name, email: 'noor.haddad@mail.example' };
  const { id: caseId } = await links.case({ contact, workspace });
  const body = { caseId, workflowDefinitionId: definition.id };
  const { link } = (await bodyOf(201, api.owner.POST('/link/send', { body }))) as { link: string };
  return { link, caseId, definition };
}

const sentEvents = async ({ database }: Api) =>
  (await allEvents(database)).filter(({ type }) => type === 'link.sent');

describe('a mailed link', async () => {
  const { url, caught } = await catcher();
  const api = await startApi({ smtpUrl: url, mailFrom: from });

  test('is sent to the contact as text and HTML, with an event on delivery', async () => {
    const { link, caseId, definition } = await send(api);
    await expect.poll(() => caught.length).toBe(1);
    const [mail] = caught.splice(0) as [Caught];
    expect(mail.recipients).toEqual(['noor.haddad@mail.example']);
    expect(mail.headers).toMatchObject({
      From: 'Claims <claims@alderfinch.example>',
      To: 'Noor Haddad <noor.haddad@mail.example>',
      Subject: expect.stringContaining('Send'),
      'Auto-Submitted': 'auto-generated',
      'Message-ID': expect.stringMatching(/^<[0-9a-f-]{36}@alderfinch\.example>$/),
    });
    expect(mail.source).toContain('Content-Type: text/html');
    const text = textOf(mail);
    expect(text).toContain('Hello Noor Haddad,');
    expect(text).toContain(`\n${link}\r\n`);
    expect(text).toContain('until 26 November 2026 at 09:00 UTC');
    await expect.poll(() => sentEvents(api)).toHaveLength(1);
    const { id: linkId } = await linksOf(api).row(link);
    expect((await sentEvents(api))[0]?.data).toEqual({
      linkId,
      caseId,
      workflowDefinitionId: definition.id,
    });
  });

  test('uses the language of the definition', async () => {
    await send(api, { defaultLocale: 'fr' });
    await expect.poll(() => caught.length).toBe(1);
    const [mail] = caught.splice(0) as [Caught];
    expect(textOf(mail)).toContain('vous invite à remplir le formulaire « Envoyer des photos »');
  });

  test('does not let names inject headers', async () => {
    await send(api, { name: 'Eve\r\nBcc: all@evil.example\r\n\r\nbody <x@evil.example>' });
    await expect.poll(() => caught.length).toBe(1);
    const [mail] = caught.splice(0) as [Caught];
    expect(mail.recipients).toEqual(['noor.haddad@mail.example']);
    expect(Object.keys(mail.headers)).not.toContain('Bcc');
    expect(mail.headers['To']).toMatch(/<noor\.haddad@mail\.example>$/);
  });

  test('is marked if it comes from a SANDBOX workspace', async () => {
    const workspace = await api.given.workspace({ organization: api.world.organization, type: 'SANDBOX' });
    await send(api, { workspace });
    await expect.poll(() => caught.length).toBe(1);
    const [mail] = caught.splice(0) as [Caught];
    expect(mail.headers['Subject']).toMatch(/^\[SANDBOX\] Organization .*: Send photos$/);
    expect(textOf(mail)).toMatch(/^SANDBOX: this is a test message\./);
  });

  test.each([
    ['was revoked', 'new.revoked_at = new.created_at'],
    ['was used', 'new.used_at = new.created_at; new.execution_id = (select id from executions limit 1)'],
    ['has expired', 'new.expires_at = new.created_at'],
    ['was created with another server key', "new.secret_sha256 = sha256('')"],
  ])('is not sent if it %s', async (_name, change) => {
    await workflowsOf(api).runningExecution();
    // In the transaction that creates it, before the mail job can run.
    const execute = (statement: string) => sql.raw(statement).execute(api.database);
    await execute(`create or replace function change_at_once() returns trigger language plpgsql
      as $$begin ${change}; return new; end$$`);
    await execute(
      'create or replace trigger changed before insert on links for each row execute function change_at_once()',
    );
    const notSent = () =>
      api.log.filter(
        ({ msg, outcome }) => outcome === 'link_unusable' || String(msg).startsWith('mail not sent'),
      ).length;
    const before = notSent();
    await send(api);
    await expect.poll(notSent).toBe(before + 1);
    expect(caught).toEqual([]);
  });
});

test('a failed delivery is retried with the same message, and emits one event', async () => {
  let refusals = 1;
  const messages = new Set<string>();
  const { url, caught } = await catcher({
    onMailFrom(_address, _session, done) {
      refusals -= 1;
      done(refusals >= 0 ? Object.assign(new Error('Try later'), { responseCode: 451 }) : null);
    },
  });
  const api = await startApi({ smtpUrl: url, mailFrom: from });
  await send(api);
  await until(async () => {
    await bringForward(api.database, 'mail', 3_600);
    return caught.length === 1;
  });
  for (const { headers } of caught) messages.add(headers['Message-ID'] ?? '');
  const failed = api.log.filter(({ msg }) => msg === 'mail not sent');
  expect(failed).toMatchObject([{ discarded: false, reason: expect.stringContaining('EENVELOPE 451') }]);
  expect([...messages][0]).toContain(String(failed[0]?.['jobId']));
  await expect.poll(() => sentEvents(api)).toHaveLength(1);
});

test('a permanently rejected recipient is logged and not retried', async () => {
  const { url, caught } = await catcher({
    onRcptTo: (_address, _session, done) =>
      done(Object.assign(new Error('No such mailbox'), { responseCode: 550 })),
  });
  const api = await startApi({ smtpUrl: url, mailFrom: from });
  await send(api);
  const discarded = () => api.log.filter(({ msg }) => msg === 'mail not sent');
  await expect.poll(discarded).toMatchObject([{ discarded: true }]);
  expect(JSON.stringify(api.log)).not.toContain('noor.haddad');
  expect([caught, await sentEvents(api)]).toEqual([[], []]);
});

describe('without a mail server', async () => {
  const api = await startApi();
  const outbox = join(api.dataDirectory, 'outbox');
  /** The messages of one environment. */
  const files = async (environment: string) =>
    (await readdir(outbox).catch(() => [])).filter((name) => name.startsWith(`${environment}-`));

  test('messages are written to the outbox and logged', async () => {
    const { link } = await send(api);
    await expect.poll(() => files('production')).toHaveLength(1);
    const [name = ''] = await files('production');
    expect(name).toMatch(/^production-[0-9a-f-]{36}\.eml$/);
    expect((await stat(join(outbox, name))).mode & 0o777).toBe(0o600);
    const source = await readFile(join(outbox, name), 'utf8');
    expect(textOf({ source, recipients: [], headers: {} })).toContain(link);
    const logged = () => api.log.some(({ msg }) => String(msg).startsWith('SMTP_URL is not set'));
    await expect.poll(logged).toBe(true);
    await expect.poll(() => sentEvents(api)).toHaveLength(1);
    expect(JSON.stringify(api.log)).not.toContain(link.slice(-64));
  });

  test('mail and pages of the sandbox are marked as a test', async () => {
    const { world, ...made } = await given(api.sandboxDatabase, api.clock);
    const { owner } = createActors(api.sandboxUrl, world);
    const { link } = await send({
      database: api.sandboxDatabase,
      clock: api.clock,
      world,
      owner,
      given: made,
    });
    expect(link).toMatch(new RegExp(`^${api.sandboxUrl}/links/`));
    expect((await page(link)).text).toContain('Test mode: nothing on this page has a real effect.');
    expect((await page(link.replace(api.sandboxUrl, api.baseUrl))).status).toBe(404);
    await expect.poll(() => files('sandbox')).toHaveLength(1);
    const [name = ''] = await files('sandbox');
    const source = await readFile(join(outbox, name), 'utf8');
    expect(headersOf(source)['Subject']).toMatch(/^\[SANDBOX\] /);
    expect(textOf({ source, recipients: [], headers: {} })).toMatch(/^SANDBOX: this is a test message/);
  });
});
