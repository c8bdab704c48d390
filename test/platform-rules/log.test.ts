import { expect, test } from 'vitest';
import { requestLog } from '../../server/src/http/log.ts';
import { openLogger } from '../../server/src/observability/logger.ts';

/** The log line of an error. */
function lineOf(error: unknown): string {
  const lines: string[] = [];
  const logger = openLogger('info', { write: (line) => void lines.push(line) });
  requestLog(logger.child({ environment: 'sandbox' })).internalError(
    { requestId: 'id', operationId: 'listUsers' },
    error,
  );
  return lines.join('');
}

/** A violated constraint, as the driver reports it. */
const violation = () =>
  Object.assign(new Error('duplicate key value violates unique constraint "users_email_key"'), {
    code: '23505',
    constraint: 'users_email_key',
    detail: 'Key (email)=(astrid@example.com) already exists.',
    where: 'COPY users, line 1: "astrid@example.com"',
  });

test('the log has the stack and code of an error, without the row values that the database quotes', () => {
  const line = lineOf(violation());
  expect(JSON.parse(line).err).toMatchObject({ code: '23505', constraint: 'users_email_key' });
  expect(JSON.parse(line).err.stack).toContain('log.test.ts');
  expect(line).not.toContain('astrid');
});

test('the log has the causes of an error in the same form', () => {
  const line = lineOf(
    Object.assign(new AggregateError([violation()], 'two things'), { second: violation() }),
  );
  expect(line).toContain('users_email_key');
  expect(line).not.toContain('astrid');
});

test('the log has no objects of libraries, such as the connection that broke', () => {
  const broken = Object.assign(new Error('Connection terminated'), { code: 'X', client: { secretKey: 1 } });
  const { err } = JSON.parse(lineOf(broken));
  expect(err).toMatchObject({ message: 'Connection terminated', code: 'X' });
  expect(err).not.toHaveProperty('client');
});

test('the log has a thrown value that is not an error unchanged', () => {
  expect(JSON.parse(lineOf('a text')).err).toBe('a text');
});
