import { expect, test } from 'vitest';
import { requestLog } from '../../server/src/http/log.ts';
import { openLogger } from '../../server/src/observability/logger.ts';

/** What is logged of a fault, as one line. */
function lineOf(error: unknown): string {
  const lines: string[] = [];
  const logger = openLogger('info', { write: (line) => void lines.push(line) });
  requestLog(logger.child({ environment: 'sandbox' })).fault('id', 'listUsers', error);
  return lines.join('');
}

/** As the driver gives a violated constraint. */
const violation = () =>
  Object.assign(new Error('duplicate key value violates unique constraint "users_email_key"'), {
    code: '23505',
    constraint: 'users_email_key',
    detail: 'Key (email)=(astrid@example.com) already exists.',
    where: 'COPY users, line 1: "astrid@example.com"',
  });

test('a fault is logged with its stack and code, without the values of rows that the database quotes', () => {
  const line = lineOf(violation());
  expect(JSON.parse(line).err).toMatchObject({ code: '23505', constraint: 'users_email_key' });
  expect(JSON.parse(line).err.stack).toContain('log.test.ts');
  expect(line).not.toContain('astrid');
});

test('so are the faults in a fault', () => {
  const line = lineOf(
    Object.assign(new AggregateError([violation()], 'two things'), { second: violation() }),
  );
  expect(line).toContain('users_email_key');
  expect(line).not.toContain('astrid');
});

test('what is thrown and is no error is logged as it is', () => {
  expect(JSON.parse(lineOf('a text')).err).toBe('a text');
});
