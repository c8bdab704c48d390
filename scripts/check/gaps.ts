/** Checks that code, tests and samples have what the contract asks for. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { errorCodesOf, readDocument, routesOf } from '../../server/contract/index.ts';
import { command, run } from '../command-line/command.ts';
import { formatPlace, type Locator, type Place, sourceLocator } from '../contract/locator.ts';
import type { Contract } from '../contract/source.ts';
import { readSamples } from '../generate/samples/read.ts';

/** Code, a test or a sample that the contract requires and the project lacks, or one that is left over. */
export type Gap = Place & { message: string; fixes: string[] };

const handlers = 'server/src/handlers/';
const objects = 'server/src/store/addressable-objects.ts';
/** An operation may be tested with its subject: the webhook keys are tested with the webhooks. */
const tests = /^test\/(?:endpoints|files|links|platform-rules|webhooks|workflows)\/.*\.test\.ts$/;
const sweeps = /^test\/sweeps\/.*\.ts$/;
const matrix = 'test/sweeps/authorization-matrix.txt';
const samples = 'test/samples/';
const decisions = 'spec/guides/limits-and-decisions.md';

/** Finds what the project lacks for a contract, and what is left over from removed operations. */
export type FindGaps = (contract: Contract, locator: Locator) => Promise<Gap[]>;

/** Caches files until they change. */
export function gapFinder(root: URL): FindGaps {
  const texts = new Map<string, { stamp: number; text: string }>();

  async function textOf(file: string): Promise<string> {
    const url = new URL(file, root);
    const { mtimeMs } = await stat(url);
    const known = texts.get(file);
    if (known?.stamp === mtimeMs) return known.text;
    const text = await readFile(url, 'utf8');
    texts.set(file, { stamp: mtimeMs, text });
    return text;
  }

  /** The texts of all files below a folder, or of one file. A file that was deleted meanwhile is empty. */
  async function textsOf(place: string, isWanted = (_file: string) => true): Promise<string[]> {
    const names = place.endsWith('/') ? await filesBelow(place) : [place];
    return await Promise.all(names.filter(isWanted).map((name) => textOf(name).catch(() => '')));
  }

  async function filesBelow(folder: string): Promise<string[]> {
    const names = await readdir(fileURLToPath(new URL(folder, root)), { recursive: true }).catch(() => []);
    return names.map((name) => folder + name.replaceAll('\\', '/')).filter((name) => /\.\w+$/.test(name));
  }

  const read = async (place: string, pattern: RegExp, isWanted?: (file: string) => boolean) =>
    namesIn(await textsOf(place, isWanted), pattern);

  /** Invalid region markers are an error of `npm run generate`, not a gap. */
  const readAllSamples = () =>
    readSamples(fileURLToPath(new URL(samples, root))).catch(() => ({ shell: {}, typeScript: {} }));

  return async (contract, locator) => {
    const [handled, tested, listed, sampled, refused, ruled, rows] = await Promise.all([
      read(handlers, /^ {2,4}(?:async )?(\w+)[(:,]/gm),
      read('test/', describedName, (file) => tests.test(file)),
      read(matrix, /^(?!operation )(\w+)/gm),
      readAllSamples(),
      Promise.all([
        read('test/', /\b\d{3}(?:'?, '|: '| )(\w+)'/g, (file) => sweeps.test(file)),
        read(objects, /missing: '(\w+)'/g),
      ]),
      read('test/', /\b(?:test|describe)(?:\.\w+)*\(\s*['"`](?:decision )?(\d+): /g, (file) =>
        tests.test(file),
      ),
      textsOf(decisions),
    ]);
    const routes = routesOf(contract);
    const operationIds = new Set(routes.map(({ operation }) => operation.operationId));

    const ofOperations = routes.flatMap(({ path, method, operation }) => {
      const { operationId: id, security = [] } = operation;
      const resource = operation.tags?.[0] ?? '<resource>';
      const parts: [exists: boolean, name: string, fix: string][] = [
        [handled.has(id), 'handler', `Write \`${id}\` in ${handlers}${resource}.ts.`],
        [
          tested.has(id) || tested.has(path),
          'test',
          `Write \`describe('${id}', …)\` in test/endpoints/${resource}.test.ts.`,
        ],
        [
          security.length === 0 || listed.has(id),
          'line in the permission matrix',
          `Run vitest on test/sweeps/authorization.test.ts with UPDATE_MATRIX=1, and review its line in ${matrix}.`,
        ],
        [id in sampled.shell, 'cURL sample', `Add the region \`${id}\` to ${samples}${resource}.sh.`],
        [
          id in sampled.typeScript,
          'TypeScript sample',
          `Add the region \`${id}\` to ${samples}${resource}.ts.`,
        ],
      ];
      const missing = parts.filter(([exists]) => !exists);
      if (missing.length === 0) return [];
      const place = locator.at(['paths', path, method, 'operationId']);
      const message = `${id} has no ${missing.map(([, name]) => name).join(', no ')}`;
      return [{ ...place, message, fixes: missing.map(([, , fix]) => fix) }];
    });

    const responses = routes.flatMap(({ operation }) => Object.values(operation.responses));
    const ofCodes = [...new Set(responses.flatMap(errorCodesOf))].flatMap((code): Gap[] => {
      if (refused.some((codes) => codes.has(code))) return [];
      const listed = (contract.components['schemas']?.['ErrorCode'] as { enum?: string[] } | undefined)?.enum;
      const index = String(listed?.indexOf(code) ?? 0);
      const place = locator.at(['components', 'schemas', 'ErrorCode', 'enum', index]);
      const fix =
        'In test/sweeps/support/error-cases.ts, add it to `alterations` if a change of one valid request leads to it, ' +
        'or to `sequences` if it takes state or several requests, as for a name that is taken.';
      return [{ ...place, message: `No request of the errors sweep leads to ${code}`, fixes: [fix] }];
    });

    const ofDecisions = (rows[0] ?? '').split('\n').flatMap((row, index): Gap[] => {
      const number = /^\| (\d+) \|/.exec(row)?.[1];
      if (!number || ruled.has(number)) return [];
      const fix = `Write \`test('decision ${number}: …')\` in test/endpoints/ or test/platform-rules/.`;
      return [
        {
          file: decisions,
          line: index + 1,
          column: 3,
          message: `Decision ${number} has no test`,
          fixes: [fix],
        },
      ];
    });

    const leftovers = await Promise.all(
      [...new Set([...Object.keys(sampled.shell), ...Object.keys(sampled.typeScript)])]
        .filter((id) => !operationIds.has(id))
        .map(async (id) => leftover(await filesBelow(samples), `#region ${id}\n`, id)),
    );
    const inMatrix = [...listed]
      .filter((id) => !operationIds.has(id))
      .map((id) => leftover([matrix], id, id));
    return [...ofOperations, ...ofCodes, ...ofDecisions, ...leftovers, ...(await Promise.all(inMatrix))];
  };

  async function leftover(files: string[], mark: string, id: string): Promise<Gap> {
    const found = await Promise.all(
      files.map(async (file) => ({ file, at: (await textOf(file).catch(() => '')).indexOf(mark) })),
    );
    const { file, at } = found.find(({ at }) => at >= 0) ?? { file: files[0] ?? '', at: 0 };
    const line = (await textOf(file)).slice(0, at).split('\n').length;
    const message = `${id} is not an operation of the contract`;
    return { file, line, column: 1, message, fixes: ['Rename it like its operation, or delete it.'] };
  }
}

/** The name of a `describe`: an operationId, or each path of a `describe.each`. */
const describedName =
  /\bdescribe(?:\.\w+)*\(\s*['"`](\w+)['"`]|(?<=\bdescribe\.each\(\[[^\]]*)['"`]([\w/{}-]+)['"`]/g;

function namesIn(texts: string[], pattern: RegExp): Set<string> {
  return new Set(
    texts.flatMap((text) => [...text.matchAll(pattern)].flatMap(([, ...names]) => names.filter(Boolean))),
  ) as Set<string>;
}

const root = new URL('../../', import.meta.url);

const cli = command('gaps', 'node scripts/check/gaps.ts')
  .description(
    'Lists what generated/openapi.json asks for and the project does not have: handlers, tests, lines of the ' +
      'permission matrix and samples. Exits with 1 if something is missing.',
  )
  .action(async () => {
    const contract = await readDocument(new URL('generated/openapi.json', root));
    const gaps = await gapFinder(root)(contract, sourceLocator(root));
    for (const gap of gaps) {
      console.error(`${formatPlace(gap)} ${gap.message}`);
      for (const fix of gap.fixes) console.error(`  → ${fix}`);
    }
    if (gaps.length > 0) process.exitCode = 1;
    else
      console.log('Every operation has its handler, tests, samples and its line of the permission matrix.');
  });

if (import.meta.main) await run(cli);
