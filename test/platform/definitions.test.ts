import { beforeAll, describe, expect, test } from 'vitest';
import { applyPlatform } from '../../server/src/manifest/apply.ts';
import { PlatformFileError } from '../../server/src/manifest/platform-file.ts';
import { parsePlatformFile } from '../../server/src/manifest/read.ts';
import type { Database } from '../../server/src/store/database.ts';
import { findRevision, listDefinitions } from '../../server/src/store/definitions.ts';
import { emptyDatabase } from '../support/postgres.ts';

let database: Database;
beforeAll(async () => {
  database = await emptyDatabase();
});

/** A platform file with one definition, which starts at line 13. */
const platformOf = (definition: string) => `environments:
  production:
    organization: { name: Lake }
    users:
      - { email: ada@lake.example, firstName: Ada, lastName: Lake, role: owner }
    workspaces:
      - name: Boats
        type: LIVE
        workflowDefinitions:
          - name: repair
            revision: '1'
            defaultLocale: fr
${definition
  .trim()
  .split('\n')
  .map((line) => `            ${line}`)
  .join('\n')}
`;
const sound = `
definition:
  QueryLanguage: JSONata
  StartAt: Done
  States:
    Done: { Type: Succeed, Output: { id: any, profileId: any } }
`;

function errorLines(definition: string): string[] {
  try {
    parsePlatformFile(platformOf(definition), 'p.yaml');
    return [];
  } catch (error) {
    if (error instanceof PlatformFileError) return error.lines;
    throw error;
  }
}
const apply = (text: string) =>
  applyPlatform({ database, environment: 'production', file: parsePlatformFile(text, 'p.yaml') });
const stored = async () => (await listDefinitions(database)).find(({ name }) => name === 'repair');

describe('a workflow definition in the platform file', () => {
  test('is valid with any property names', () => {
    expect(
      errorLines(`${sound}\ninputSchema: { type: object, properties: { id: { type: string } } }`),
    ).toEqual([]);
  });

  test('must exist', () => {
    expect(errorLines('uiOptions: {}')).toEqual([
      expect.stringMatching(/^p\.yaml:10:\d+ .*workflowDefinitions\[0\]\.definition is missing$/),
    ]);
  });

  test.each<[what: string, definition: string, place: string, message: RegExp]>([
    [
      'a state that leads nowhere',
      sound.replace('Type: Succeed, Output: { id: any, profileId: any }', 'Type: Pass, Next: Nowhere'),
      '17 definition.States.Done.Next',
      /Nowhere/,
    ],
    [
      'a task that is not supported',
      sound.replace(
        'Type: Succeed, Output: { id: any, profileId: any }',
        "Type: Task, Resource: 'arn:aws:lambda', End: true",
      ),
      '17 definition.States.Done.Resource',
      /wrp:http:call/,
    ],
    [
      'JSONPath',
      sound.replace('JSONata', 'JSONPath'),
      '14 definition.QueryLanguage',
      /JSONPath, which is not/,
    ],
    [
      'an invalid expression',
      sound.replace('id: any,', "id: '{% 1 + %}',"),
      '17 definition.States.Done.Output.id',
      /./,
    ],
    [
      'an invalid input schema',
      `${sound}\ninputSchema: { type: objekt }`,
      '19 inputSchema.type',
      /JSON Schema/,
    ],
    [
      'an input schema of another dialect',
      `${sound}\ninputSchema: { $schema: 'http://json-schema.org/draft-07/schema#' }`,
      '19 inputSchema.$schema',
      /must be https:\/\/json-schema\.org\/draft\/2020-12\/schema$/,
    ],
    [
      'a pattern that does not run in linear time',
      `${sound}\ninputSchema:\n  properties:\n    code: { type: string, pattern: '^(?=.*x)' }`,
      '21 inputSchema.properties.code.pattern',
      /the pattern has a lookahead, \(\?=\.\*x\), which does not run in linear time: use several patterns/,
    ],
    [
      'a pattern for names that has a backreference',
      `${sound}\ninputSchema:\n  patternProperties:\n    '(a)\\1': { type: string }`,
      '21 inputSchema.patternProperties["(a)\\\\1"]',
      /the pattern has a backreference/,
    ],
    [
      'an input schema that is too large',
      `${sound}\ninputSchema: { enum: [${'a'.repeat(70_000)}] }`,
      '19 inputSchema',
      /has 70013 bytes as JSON; the limit is 65536/,
    ],
    [
      'an input schema that refers to nothing',
      `${sound}\ninputSchema: { $ref: '#/$defs/none' }`,
      '19 inputSchema',
      /none/,
    ],
  ])('with %s is refused with line and path', (_what, definition, place, message) => {
    const [line, path] = place.split(' ');
    const where = new RegExp(
      `^p\\.yaml:${line}:\\d+ environments\\..*\\]\\.${(path ?? '').replace(/[\\()$[\]]/g, '\\$&')} `,
    );
    const reported = errorLines(definition).find((text) => where.test(text));
    expect(reported).toMatch(message);
  });
});

describe('applying a workflow definition', () => {
  test('adds its revision, once', async () => {
    expect((await apply(platformOf(sound)))['definition revisions'].created).toBe(1);
    const again = await apply(platformOf(sound));
    expect(again['definition revisions']).toEqual({ created: 0, updated: 0, removed: 0, unchanged: 1 });
    expect(await stored()).toMatchObject({ revision: '1', revisions: ['1'], defaultLocale: 'fr' });
  });

  test('refuses another document under a revision that is stored, and changes nothing', async () => {
    await apply(platformOf(sound));
    for (const changed of [sound.replace('any, p', 'other, p'), `${sound}\nuiOptions: { title: New }`]) {
      await expect(apply(platformOf(changed))).rejects.toThrow(
        /^p\.yaml:11:23 .*workflowDefinitions\[0\]\.revision 1 is already stored with different content/,
      );
    }
    expect(await stored()).toMatchObject({ document: { States: { Done: { Output: { id: 'any' } } } } });
  });

  test('makes a new revision the current one, keeps the old one, and can return to it', async () => {
    await apply(platformOf(sound));
    const second = platformOf(sound.replace('any, p', 'other, p')).replace("revision: '1'", "revision: '2'");
    await apply(second);
    expect(await stored()).toMatchObject({ revision: '2', revisions: ['1', '2'] });
    const back = await apply(platformOf(sound));
    expect(back['definition revisions'].unchanged).toBe(1);
    expect(await stored()).toMatchObject({ revision: '1', revisions: ['1', '2'] });
  });

  test('names what differs from the stored revision', async () => {
    await apply(platformOf(sound));
    const changed = sound
      .replace('any, p', 'other, p')
      .replace('StartAt: Done', 'StartAt: Done\n  Comment: New');
    await expect(apply(platformOf(changed))).rejects.toThrow(
      'different content (Done, /definition/Comment): use a new revision',
    );
  });

  test('keeps what a new revision does not mention', async () => {
    const more = 'inputSchema: { type: object, required: [kept] }\nuiOptions: { title: Kept }\n';
    const at = (revision: string, definition: string) =>
      platformOf(definition).replace("revision: '1'", `revision: '${revision}'`);
    await apply(at('7', sound + more));
    await apply(at('8', sound));
    const id = (await stored())?.id as string;
    expect(await findRevision(database, id, '8')).toMatchObject({
      inputSchema: { required: ['kept'] },
      uiOptions: { title: 'Kept' },
    });
    await apply(at('9', `${sound}inputSchema: {}\n`));
    expect(await findRevision(database, id, '9')).toMatchObject({
      inputSchema: {},
      uiOptions: { title: 'Kept' },
    });
  });
});
