import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { describe, expect, test } from 'vitest';
import { operations } from '../../generated/operations.ts';
import { findGuards, type Guard, guardsIn, isListed } from '../../scripts/prove/guards/find.ts';
import { instrument } from '../../scripts/prove/guards/instrument.ts';
import { type GuardKind, redundantGuards } from '../../scripts/prove/guards/named.ts';
import { conditionsOf } from '../../scripts/prove/guards/sql-conditions.ts';
import { switchOff } from '../../scripts/prove/guards/switches.mjs';

const switches = new URL('../../scripts/prove/guards/switches.mjs', import.meta.url).href;

describe('the conditions of a SQL statement', () => {
  test.each([
    ['select 1 from a where x = 1 and y = 2 order by z', ['x = 1', 'y = 2']],
    ['select 1 from a join b on b.a_id = a.id and b.x where c = 1', ['b.a_id = a.id', 'b.x', 'c = 1']],
    ['delete from a where ((x = 1 and y = 2) or z = 3) limit 5', ['x = 1', 'y = 2', 'z = 3']],
    ['select 1 where a between 1 and 2 and b = f(3, 4)', ['a between 1 and 2', 'b = f(3, 4)']],
    [
      'select 1 where not exists (select from b where b.x = 1 for update) and c',
      ['not exists (select from b where b.x = 1 for update)', 'b.x = 1', 'c'],
    ],
    ["select case when s = 'a and b' then 1 end from a", ["s = 'a and b'"]],
    ['insert into a values (1) on conflict (x) do update set y = 1 where z = 2', ['z = 2']],
    ['select 1 as one, 2 from a', []],
  ])('%s', (statement, conditions) => {
    expect(conditionsOf(statement).map(({ start, end }) => statement.slice(start, end))).toEqual(conditions);
  });
});

describe('a guard in a source', () => {
  const found = (file: string, text: string) =>
    guardsIn(file, text).map((guard) => [guard.kind, guard.text, guard.replacement]);

  test('is a condition of a statement that names an owner, a permission or a time', () => {
    const text =
      'const find = (id) => sql`select 1 from a join b on true where a.owner_id = 7 and relation = 1 and a.x = 2 and ended_at is null`;';
    expect(found('server/src/store/some.ts', text)).toEqual([
      ['tenancy', 'a.owner_id = 7', 'true'],
      ['grant', 'relation = 1', 'true'],
      ['expiry', 'ended_at is null', 'true'],
    ]);
  });

  test('is a condition of a query builder', () => {
    const text = "db.selectFrom('a').where('id', '=', 1).where('workspace_id', '=', w).execute();";
    expect(found('server/src/store/some.ts', text)).toEqual([
      ['tenancy', ".where('workspace_id', '=', w)", ''],
    ]);
  });

  test('is a comparison of secrets, what a signature covers, and a comparison with an end', () => {
    const text = `
      const sign = (id) => createHmac('sha256', key).update(\`link\\n\${id}\`).digest();
      const isValid = timingSafeEqual(a, b) && now < expiresAt;
      if (usedAt) refuse();`;
    expect(found('server/src/some.ts', text)).toEqual([
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the source of a template
      ['signature', '${id}', ''],
      ['signature', 'timingSafeEqual(a, b)', 'true'],
      ['expiry', 'now < expiresAt', 'true'],
      ['expiry', 'now < expiresAt', 'false'],
      ['expiry', 'usedAt', 'false'],
    ]);
  });
});

test('switches off one guard at a time, also one within another and one in a property', async () => {
  const text = `
    const rules = { permission: 'can_view' };
    export const mayOpen = (link, now) => now < link.expiresAt && link.pages.some((page) => page < 3 && page.expiry > now);
    export const permission = () => rules.permission;`;
  const at = text.indexOf("'can_view'");
  const guards = guardsIn('server/src/some.ts', text).filter(({ replacement }) => replacement === 'true');
  const property: Guard = {
    ...{ kind: 'permission', file: '', line: 1, within: '', text: "'can_view'", replacement: 'null' },
    span: { start: at, end: at + 10 },
    host: { start: text.indexOf('permission:'), end: at + 10, property: 'permission' },
  };
  const numbered = [...guards, property].map((guard, index) => [index + 1, guard] as const);
  const source = instrument(text, numbered, switches);
  const { mayOpen, permission } = await import(`data:text/javascript,${encodeURIComponent(source)}`);
  const outcomes = [0, 1, 2, 3].map((guard) => {
    switchOff(guard);
    const expired = { expiresAt: 1, pages: [{ valueOf: () => 1, expiry: 9 }] };
    const expiredPage = { expiresAt: 9, pages: [{ valueOf: () => 1, expiry: 1 }] };
    return [mayOpen(expired, 5), mayOpen(expiredPage, 5), permission()];
  });
  switchOff(0);
  expect(outcomes).toEqual([
    [false, false, 'can_view'],
    [true, false, 'can_view'],
    [false, true, 'can_view'],
    [false, false, null],
  ]);
});

describe('the guards of the project', () => {
  const guards = findGuards();

  test('are found: a lower number needs a reason', () => {
    const least: Record<GuardKind, number> = {
      permission: 60,
      grant: 55,
      tenancy: 135,
      signature: 24,
      expiry: 60,
    };
    const numbers = Object.keys(least).map((kind) => [
      kind,
      guards.filter((guard) => guard.kind === kind).length,
    ]);
    for (const [kind, number] of numbers)
      expect(number, `${kind}`).toBeGreaterThanOrEqual(least[kind as GuardKind]);
  });

  test('include the permission of every operation, removed and replaced', () => {
    const permissions = Object.values(operations).filter(({ permission }) => permission !== null);
    const inContract = guards.filter(({ file }) => file === 'generated/operations.ts');
    expect(inContract).toHaveLength(2 * permissions.length);
  });

  test('leave sources that can be read, with all switches in them', () => {
    for (const [file, ofFile] of Map.groupBy(guards, (guard) => guard.file)) {
      const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
      const source = instrument(
        text,
        ofFile.map((guard, index) => [index + 1, guard] as const),
        switches,
      );
      expect(() => stripTypeScriptTypes(source), file).not.toThrow();
      expect(source.match(/guardIsOff\(\d+\)/g)?.length, file).toBeGreaterThanOrEqual(ofFile.length);
    }
  });

  test.each(redundantGuards)('$file: $text in $within, listed as redundant, exists', (listed) => {
    expect(guards.filter((guard) => isListed(guard, listed))).not.toEqual([]);
  });
});
