import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { gapFinder } from '../../scripts/check/gaps.ts';
import { fixHint, grouped } from '../../scripts/contract/lint/finding.ts';
import { formatPlace, sourceLocator } from '../../scripts/contract/locator.ts';
import { openRedocly } from '../../scripts/contract/redocly/redocly.ts';
import { formatFinding, lintContract } from '../../scripts/contract/source.ts';
import { copyProject } from '../../scripts/laboratory/project-copy.ts';
import { readDocument } from '../../server/contract/index.ts';

const project = await copyProject();
const redocly = openRedocly(project.root);
afterAll(async () => {
  redocly.close();
  await project.remove();
});

const users = 'spec/paths/users.yaml';
const contract = 'spec/openapi.yaml';
const link = 'spec/arazzo/send-a-link.yaml';
const schema = 'spec/rules/schema.js';
const guide = 'spec/guides/errors.md';
const examples = 'spec/examples/errors.yaml';

type Case = [error: string, file: string, change: (text: string) => string, finding: RegExp, fix?: RegExp];

/** One error each, and the one finding that reports it. */
const cases: Case[] = [
  [
    'a journey that does not parse',
    link,
    (text) => text.replace('title: Let', 'title: "Let'),
    /^spec\/arazzo\/send-a-link\.yaml:\d+:\d+ yaml Failed to parse: /,
    /not closed/,
  ],
  [
    'a journey that calls an unknown operation',
    link,
    (text) => text.replace('operationId: createLink', 'operationId: createLinc'),
    /send-a-link\.yaml:\d+:22 arazzo-operation `createLinc` is not an .*Did you mean `createLink`\?$/,
  ],
  [
    'a misspelt field of a journey',
    link,
    (text) => text.replace('requestBody: *link', 'requestBodi: *link'),
    /send-a-link\.yaml:\d+:\d+ struct Property `requestBodi` is not expected here/,
  ],
  ['an empty contract', contract, () => '', /^spec\/openapi\.yaml:1:1 yaml spec\/openapi\.yaml is empty\.$/],
  [
    'a tab',
    contract,
    (text) => text.replace('\n  title', '\n\ttitle'),
    /^spec\/openapi\.yaml:3:1 yaml Failed to parse: tab/,
    /spaces/,
  ],
  [
    'a duplicate key',
    users,
    (text) => text.replace(/( +summary: List the users)/, '$1\n$1'),
    /^spec\/paths\/users\.yaml:\d+:5 yaml Failed to parse: duplicated/,
    /occurs twice/,
  ],
  [
    'an empty file',
    users,
    () => '',
    /^spec\/paths\/users\.yaml:1:1 yaml spec\/paths\/users\.yaml is empty\.$/,
  ],
  [
    'a reference to an unknown name',
    users,
    (text) => text.replace('schemas/users.yaml#/UserPage', 'schemas/users.yaml#/UserPages'),
    /^spec\/paths\/users\.yaml:\d+:\d+ \S+ `\S+#\/UserPages` leads nowhere: .* Did you mean `UserPage`\?$/,
  ],
  [
    'a rule that does not parse',
    schema,
    (text) => `${text}\nconst (;\n`,
    /^spec\/rules\/schema\.js:\d+:7 lint Unexpected token '\('$/,
  ],
  [
    'a rule that throws when it is loaded',
    schema,
    (text) => `${text}\nthrow new Error('not so');\n`,
    /^spec\/rules\/schema\.js:\d+:7 lint not so$/,
  ],
  [
    'a rule that throws when it runs',
    'spec/rules/no-defs.js',
    (text) => text.replace('return {', 'return { Info: (info) => info.none.nothing,'),
    /^spec\/rules\/no-defs\.js:\d+:\d+ lint Cannot read .* \(visiting spec\/openapi\.yaml#\/info\)$/,
  ],
  [
    'an operation without security',
    users,
    (text) => text.replace(/ {4}security:\n(?: {6}- .*\n)+/, ''),
    /^spec\/paths\/users\.yaml:2:3 contract\/security-stated /,
  ],
  [
    'a mistyped error code',
    examples,
    (text) => text.replace('code: user_not_found', 'code: user_not_fond'),
    /^spec\/examples\/errors\.yaml:\d+:15 contract\/error-codes `user_not_fond` .*Did you mean `user_not_found`\?$/,
  ],
  [
    'a path that is not in the table of contents',
    contract,
    (text) => text.replace(/ {2}\/organizations\/users:.*\n/, ''),
    /^spec\/paths\/users\.yaml:\d+:1 unused Nothing refers to `users`: add it to spec\/openapi\.yaml, or remove it\.$/,
  ],
  [
    'an unused schema',
    'spec/schemas/users.yaml',
    (text) => `${text}Unused:\n  type: string\n`,
    /^spec\/schemas\/users\.yaml:\d+:1 unused Nothing refers to `Unused`: refer to it, or remove it\.$/,
  ],
  [
    'a code block of a guide that is not closed',
    guide,
    (text) => text.replace(/```\n(?!.*```)/s, '\n'),
    /^spec\/guides\/errors\.md:\d+:1 contract\/markdown-closed The code block is not closed/,
  ],
  [
    'an entry of the error guide for a code that does not exist',
    guide,
    (text) => `${text}\n- \`user_not_fond\`: there is none. Retry: no.\n`,
    /^spec\/guides\/errors\.md:\d+:1 contract\/error-codes The guide explains `user_not_fond`.*Did you mean `user_not_found`\?$/,
  ],
  [
    'a relative link of a guide',
    guide,
    (text) => `See [there](quick-start.md).\n\n${text}`,
    /^spec\/guides\/errors\.md:1:11 contract\/links-lead `quick-start\.md` leads nowhere.*Did you mean `#\/quick-start`\?$/,
  ],
  [
    'a dead link of a guide',
    guide,
    (text) => `Look [there](#/nowhere).\n\n${text}`,
    /^spec\/guides\/errors\.md:1:12 contract\/links-lead `#\/nowhere` leads nowhere/,
  ],
  [
    'a misspelt summary, which is missing, too',
    users,
    (text) => text.replace('summary: List the users', 'sumary: List the users'),
    /^spec\/paths\/users\.yaml:\d+:5 struct Property `sumary` is not expected here\. Did you mean `summary`\?/,
  ],
  [
    'a path parameter that leads nowhere, which is not defined, too',
    users,
    (text) => text.replace('parameters.yaml#/UserId\n', 'parameters.yaml#/UserIds\n'),
    /^spec\/paths\/users\.yaml:\d+:7 no-unresolved-refs .* Did you mean `UserId`\?/,
  ],
  [
    'a misspelt type, with which no example can be checked',
    'spec/schemas/users.yaml',
    (text) => text.replace('type: object', 'type: objekt'),
    /^spec\/schemas\/users\.yaml:\d+:9 struct .* Did you mean `object`\?/,
  ],
  [
    'misspelt properties, each of which is required',
    'spec/schemas/users.yaml',
    (text) => text.replace('  properties:', '  propertis:'),
    /^spec\/schemas\/users\.yaml:\d+:3 struct .* Did you mean `properties`\?/,
  ],
];

describe('the linter reports one finding, at the line of the error, for', () => {
  test.each(cases)('%s', async (_error, file, change, expected, fix = /^/) => {
    const text = await project.read(file);
    await project.edit(file, change);
    if (file.startsWith('spec/rules/')) redocly.restart();
    try {
      const findings = await lintContract(project.root, redocly);
      expect(findings.map(formatFinding)).toEqual([expect.stringMatching(expected)]);
      expect(fixHint(findings[0] as (typeof findings)[number]) ?? '').toMatch(fix);
    } finally {
      await project.save(file, text);
      if (file.startsWith('spec/rules/')) redocly.restart();
    }
  });

  test('a schema that many examples do not match', async () => {
    const file = 'spec/schemas/identifiers.yaml';
    const text = await project.read(file);
    await project.edit(file, (text) => text.replace('format: uuid', 'format: email'));
    try {
      const findings = await lintContract(project.root, redocly);
      expect(findings.length).toBeGreaterThan(100);
      const [group, ...others] = grouped(findings);
      expect(group?.schema).toMatchObject({ file, line: 1, column: 1 });
      expect(group?.also).toHaveLength(findings.length - 1);
      expect(others).toEqual([]);
    } finally {
      await project.save(file, text);
    }
  });

  test('a parameter whose name differs from that in its path', async () => {
    const text = await project.read(contract);
    await project.edit(contract, (text) => text.replace('{userId}/reinstate:', '{userID}/reinstate:'));
    try {
      const findings = await lintContract(project.root, redocly);
      expect(findings.length).toBeGreaterThan(1);
      expect(grouped(findings).map(formatFinding).sort()).toEqual([
        expect.stringMatching(/path-parameters-defined .*`\/organizations\/users\/\{userID\}\/reinstate`\./),
      ]);
    } finally {
      await project.save(contract, text);
    }
  });

  test('none if there is no error', async () => {
    expect(await lintContract(project.root, redocly)).toEqual([]);
  });
});

describe('a gap is', () => {
  const contract = async () => readDocument(new URL('generated/openapi.json', project.root));
  const cases: [gap: string, file: string, change: (text: string) => string, found: RegExp][] = [
    [
      'an error code that no test of the sweeps leads to',
      'test/sweeps/support/error-cases.ts',
      (text) => text.replace("'409 own_user'", "'409 last_owner'"),
      /^spec\/schemas\/errors\.yaml:\d+:\d+ No request of the errors sweep leads to own_user → .*error-cases\.ts/,
    ],
    [
      'a decision without a test',
      'spec/guides/limits-and-decisions.md',
      (text) => text.replace(/^\| 1 \|/m, '| 777 |'),
      /^spec\/guides\/limits-and-decisions\.md:\d+:3 Decision 777 has no test → /,
    ],
    [
      'an operation without a cURL sample',
      'test/samples/users.sh',
      (text) => text.replace(/#region listUsers\n/, '#region client\n'),
      /^spec\/paths\/users\.yaml:\d+:5 listUsers has no cURL sample → Add the region `listUsers` to test\/samples\/users\.sh\.$/,
    ],
    [
      'a line of the permission matrix for an operation that is gone',
      'test/sweeps/authorization-matrix.txt',
      (text) => `${text}listNothing yes\n`,
      /^test\/sweeps\/authorization-matrix\.txt:\d+:1 listNothing is not an operation of the contract → /,
    ],
  ];

  test.each(cases)('%s', async (_gap, file, change, expected) => {
    const text = await project.read(file);
    await project.edit(file, change);
    try {
      const gaps = await gapFinder(project.root)(await contract(), sourceLocator(project.root));
      expect(gaps.map((gap) => `${formatPlace(gap)} ${gap.message} → ${gap.fixes.join(' ')}`)).toContainEqual(
        expect.stringMatching(expected),
      );
    } finally {
      await project.save(file, text);
    }
  });

  test('nothing that is complete', async () => {
    expect(await gapFinder(project.root)(await contract(), sourceLocator(project.root))).toEqual([]);
  });
});

test('npm run journeys names the file that does not parse, with its line', async () => {
  const text = await project.read(link);
  await project.edit(link, (text) => text.replace('title: Let', 'title: "Let'));
  const script = join(project.directory, 'scripts/spec/journeys/main.ts');
  const ran = promisify(execFile)(process.execPath, [script, '--list'], { cwd: project.directory });
  await expect(ran).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^journeys: spec\/arazzo\/send-a-link\.yaml:\d+:\d+ [^\n]+\n$/),
  });
  await project.save(link, text);
});
