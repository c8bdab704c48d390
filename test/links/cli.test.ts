import { describe, expect, test } from 'vitest';
import { api as startApi } from '../support/api.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { wrpOn } from '../support/wrp.ts';
import { confirm, formTokenOf, linksOf, page, tokenOf } from './support.ts';

const cloned = await cloneDatabase();
const api = await startApi({ databaseUrl: cloned.connectionString });
// Commands use the system clock.
api.clock.forward(Date.now() - api.clock.now().getTime());
const links = linksOf(api);
const definition = await links.definition();
const { id: caseId } = await links.case();
const link = () => links.link({ definition, caseId });

const wrp = wrpOn(cloned.connectionString, 'link');

describe('wrp link', () => {
  test('lists usable links without their URLs, newest first, and the others with an option', async () => {
    const [open, used, expired] = [await link(), await link(), await link()];
    api.clock.forward(1000);
    const ofAnotherCase = await links.link({ definition });
    await confirm(used, { form: formTokenOf(await page(used)) });
    const { id: expiredId } = await links.row(expired);
    const before = new Date(Date.now() - 1000);
    await api.database.updateTable('links').set({ expires_at: before }).where('id', '=', expiredId).execute();

    const listed = await wrp('list', '--case', caseId, '--json');
    expect(JSON.parse(listed.stdout)).toMatchObject([
      { id: (await links.row(open)).id, state: 'open', case: { id: caseId }, workflowId: null },
    ]);
    const usable = JSON.parse((await wrp('list', '--json')).stdout) as { id: string; case: { id: string } }[];
    const rows = [await links.row(open), await links.row(ofAnotherCase)];
    expect(usable.map((one) => [one.id, one.case.id]).sort()).toEqual(
      rows.map((row) => [row.id, row.case_id]).sort(),
    );
    const newest = JSON.parse((await wrp('list', '--limit', '1', '--json')).stdout) as { id: string }[];
    expect(newest.map(({ id }) => id)).toEqual([rows[1]?.id]);
    const all = await wrp('list', '--all');
    expect(all.stdout).toMatch(/^ID +STATE +CASE +WORKFLOW/);
    for (const state of ['open', 'used', 'expired']) expect(all.stdout).toMatch(new RegExp(` ${state} `));
    for (const address of [open, used, expired]) expect(all.stdout).not.toContain(tokenOf(address));
    for (const none of ['none', crypto.randomUUID()]) {
      const { status, stderr } = await wrp('list', '--case', none);
      expect([status, stderr]).toEqual([1, `There is no case ${none} in production.\n`]);
    }
    expect((await wrp('list', '-e', 'sandbox')).stderr).toBe('There are no usable links in sandbox.\n');
  });

  test('revokes a link by ID or URL, but not a used one', async () => {
    const [byId, byAddress, used] = [await link(), await link(), await link()];
    expect((await wrp('revoke', (await links.row(byId)).id)).stderr).toBe('The link is revoked.\n');
    expect((await wrp('revoke', byAddress)).stderr).toBe('The link is revoked.\n');
    // A token may begin with a hyphen.
    const revokeToken = async (token: string) => (await wrp('revoke', '--', token)).stderr;
    expect(await revokeToken(tokenOf(byAddress))).toBe('The link was already revoked.\n');
    expect(await revokeToken(`-e${tokenOf(byAddress)}`)).toBe('There is no such link in production.\n');
    for (const address of [byId, byAddress]) {
      const { status, text } = await page(address);
      expect([status, text]).toEqual([410, expect.stringContaining('This link has been withdrawn')]);
    }
    await confirm(used, { form: formTokenOf(await page(used)) });
    const late = await wrp('revoke', used);
    expect([late.status, late.stderr]).toEqual([
      1,
      'The link was already used: cancel the execution that it started instead.\n',
    ]);
  });

  test('does not find a link by a wrong URL', async () => {
    const address = await link();
    const forged = `${address.slice(0, -1)}${address.endsWith('A') ? 'B' : 'A'}`;
    for (const reference of [forged, 'nothing', crypto.randomUUID()]) {
      const { status, stderr } = await wrp('revoke', reference);
      expect([status, stderr]).toEqual([1, 'There is no such link in production.\n']);
    }
    expect((await page(address)).status).toBe(200);
  });
});
