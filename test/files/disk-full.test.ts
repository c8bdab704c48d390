import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { api } from '../support/api.ts';
import { storedFiles } from '../support/files.ts';
import { expectRefusal } from '../support/responses.ts';

// A file system that is full: npm run prove -- disk-full.
const { owner, database, dataDirectory } = await api();

test('a database whose disk is full refuses changes with 503 service_unavailable, and stores no file', async () => {
  await sql`create function disk_full() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`.execute(
    database,
  );
  await sql`create trigger disk_full before insert on resources execute function disk_full()`.execute(
    database,
  );
  const upload = () => owner.POST('/resources', { body: { file: new File(['x'], 'x') } });
  const files = await storedFiles(dataDirectory);
  await expectRefusal(upload(), 503, 'service_unavailable');
  expect((await upload()).response.headers.get('Retry-After')).toBe('5');
  expect(await storedFiles(dataDirectory)).toEqual(files);
  await sql`drop trigger disk_full on resources`.execute(database);
  expect((await upload()).response.status).toBe(201);
});
