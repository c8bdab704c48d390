import { beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../server/json/index.ts';
import { inputSchemas, openSchemaPool, problemsOf } from '../../server/json-schema/index.ts';
import { hostileSchemas, long, text } from '../support/hostile/schemas.ts';
import { expectShortStretches } from '../support/main-thread.ts';
import { atEnd } from '../support/temporary.ts';

/** Checks of parameters in processes that end with the test file. */
export function schemaChecks() {
  const log: { message: string; revisionId: string }[] = [];
  const note = (fields: object, message: string) => void log.push({ message, ...fields } as never);
  const pool = openSchemaPool();
  atEnd(() => pool.close());
  const logger = { warn: note, error: note } as never;
  const schemas = inputSchemas(pool, logger);
  /** For checks that end at their limit. */
  const strict = inputSchemas(pool, logger, { cpuMs: 700 });

  let revisions = 0;
  const check = (schema: unknown, parameters: unknown, using = schemas) =>
    using.check(`revision ${++revisions}`, schema as Json, parameters);
  return { log, strict, check };
}

/**
 * Expects that no hostile schema and no hostile parameters occupy the event loop for more than 50 ms.
 *
 * @param which every fifth case, or all others
 */
export function testHostileSchemas(
  { check, strict }: ReturnType<typeof schemaChecks>,
  which: 'sample' | 'others',
): void {
  const cases = hostileSchemas.filter((_, index) => (index % 5 === 0) === (which === 'sample'));

  // Loading for the first time is not measured.
  beforeAll(async () => {
    await check(text({ pattern: '^a$', format: 'email' }), { text: '' });
    await check(text({ pattern: 'a{500}' }), { text: long });
  });

  describe('no schema and no parameters block the event loop', () => {
    test.each(cases)('%s', async (_what, schema, parameters, expected) => {
      const using = expected === 'stopped' ? strict : undefined;
      const result = await expectShortStretches(() => check(schema, parameters, using));
      expect(result.kind === 'checked' ? result.errors.length : result.kind).toBe(expected);
      expect(
        problemsOf(result).every(({ pointer, message }) => pointer.length < 500 && message.length < 501),
      ).toBe(true);
    });
  });
}
