import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type AST, RegExpParser } from '@eslint-community/regexpp';
import ts from 'typescript';
import { expect, test } from 'vitest';

/** A regular expression in the source of the server, its libraries included. */
interface Written {
  place: string;
  text: string;
  expression: RegExp;
}

const root = fileURLToPath(new URL('../../server/', import.meta.url));

function* writtenIn(file: string): Generator<Written> {
  const source = ts.createSourceFile(file, readFileSync(`${root}${file}`, 'utf8'), ts.ScriptTarget.Latest);
  const found: Written[] = [];
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.RegularExpressionLiteral) {
      const { text } = node as ts.RegularExpressionLiteral;
      const end = text.lastIndexOf('/');
      const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
      const expression = new RegExp(text.slice(1, end), text.slice(end + 1).replace('g', ''));
      found.push({ place: `${file}:${line}`, text, expression });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  yield* found;
}

/** Expressions for input of the operator or of ours, never of a request. */
const ourOwn: Record<string, string> = {
  '/\\/+$/': 'addresses among the settings, and of the command line',
  '/[?#].*$/s': 'an address on the command line',
  '/^"?([^"<>\\p{Cc}]*?)"?\\s*<([^<>]+)>$/u': 'MAIL_FROM',
  '/\\{([^}]+)\\}/g': 'templates of the contract',
  '/\\{[^}]*\\}/g': 'templates of the contract',
};

const size = 50_000;
const characters = [...'a1A -_.,:;/\\<>"\'[]{}()=+@#?&%~*', '\t', '\n', '\0', 'é'];

/** Texts on which the expression takes long if it backtracks. */
function* attacksOn({ source, flags }: RegExp): Generator<string> {
  const parsed = new RegExpParser().parsePattern(source, 0, source.length, { unicode: flags.includes('u') });
  const matching = (raw: string) => {
    const one = new RegExp(`^(?:${raw})$`, flags);
    return characters.filter((character) => one.test(character));
  };
  const sample = (element: AST.Element | AST.Alternative): string => {
    switch (element.type) {
      case 'Alternative':
        return element.elements.map(sample).join('');
      case 'Group':
      case 'CapturingGroup':
        return sample(element.alternatives[0] as AST.Alternative);
      case 'Quantifier':
        return sample(element.element).repeat(Math.max(element.min, 1));
      case 'Character':
        return String.fromCodePoint(element.value);
      case 'CharacterSet':
      case 'CharacterClass':
        return matching(element.raw)[0] ?? '';
      default:
        return '';
    }
  };
  const filled = (unit: string, length = size) => unit.repeat(Math.ceil(length / Math.max(unit.length, 1)));
  function* along(alternatives: AST.Alternative[], before: string): Generator<string> {
    for (const { elements } of alternatives) {
      let prefix = '';
      for (const element of elements) {
        if (element.type === 'Quantifier') {
          const { element: repeated, max } = element;
          const isClass = repeated.type === 'CharacterSet' || repeated.type === 'CharacterClass';
          for (const unit of isClass ? matching(repeated.raw) : [sample(repeated)]) {
            yield `${before}${prefix}${filled(unit)}\u0001`;
            if (Number.isFinite(max) && max > 1) yield filled(`${unit.repeat(max - 1)}\u0001`, 10 * size);
          }
        }
        const group = element.type === 'Quantifier' ? element.element : element;
        if ('alternatives' in group) yield* along(group.alternatives, before + prefix);
        prefix += sample(element);
        yield `${filled(prefix)}\u0001`;
      }
    }
  }
  yield* along(parsed.alternatives, '');
}

/** CPU time, which does not depend on the load of the machine. */
function millisecondsOf(expression: RegExp, text: string): number {
  const before = process.threadCpuUsage();
  expression.lastIndex = 0;
  expression.test(text);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

const files = globSync('**/*.ts', { cwd: root, exclude: ['**/node_modules/**'] }).sort();
const written = files.flatMap((file) => [...writtenIn(file)]);

test('every regular expression of the server takes linear time', () => {
  expect(written.length).toBeGreaterThan(100);
  const distinct = new Map(written.map((one) => [one.text, one]));
  const slow = [...distinct.values()].flatMap(({ place, text, expression }) => {
    if (text in ourOwn) return [];
    const attack = [...new Set(attacksOn(expression))].find((one) =>
      // Slow expressions are slow each time; a garbage collection is not.
      [1, 2, 3].every(() => millisecondsOf(expression, one) > 40),
    );
    return attack === undefined
      ? []
      : [`${place} ${text} takes long for ${JSON.stringify(attack.slice(0, 40))}…`];
  });
  expect(
    slow,
    'rewrite it so that no two of its parts can match the same characters, or bound the text',
  ).toEqual([]);
});

test('every regular expression in the list of exceptions still exists', () => {
  expect(Object.keys(ourOwn).filter((text) => !written.some((one) => one.text === text))).toEqual([]);
});

test.each(['^\\d+\\.?\\d*$', '<body[^>]*>', '\\d{200}', '^\\s*(\\{\\s*\\})?\\s*$', '^(a+)+$', '\\/+$'])(
  'the hostile texts expose the slow expression %s',
  (source) => {
    const expression = new RegExp(source);
    // Exponential: shortened, so that it ends.
    const texts = [...attacksOn(expression)].map((text) =>
      source.includes('+)+') ? `${text.slice(0, 27)}\u0001` : text,
    );
    expect(texts.some((text) => millisecondsOf(expression, text) > 40)).toBe(true);
  },
);
