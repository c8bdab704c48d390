import type { Snippet } from './snippet.ts';

const environment = (name: string) => `process.env['${name}'] as string`;

/** Names that a page may use without declaring them. */
const usual: Record<string, string> = {
  baseUrl: environment('WRP_BASE_URL'),
  token: environment('WRP_TOKEN'),
  client: `createClient({ baseUrl: ${environment('WRP_BASE_URL')}, token: ${environment('WRP_TOKEN')} })`,
};

const importing = /^import\s+(type\s+)?([^;'"]*?)\s*from\s+(['"])([^'"]+)\3;?[ \t]*$/gm;

/** Pages that read as one program: no block declares a name again. */
const programs = ['client/README.md'];

/**
 * One module out of the blocks of a page: imports on top, and each block in a scope inside that of the block above,
 * so that it sees the names from there and may use them anew, unless the page is one program.
 */
export function programOf(page: Snippet[], given: Record<string, string> = {}): string {
  const imports = new Imports();
  const bodies = page.map(({ code }) =>
    code
      .replace(importing, (_all, type: string | undefined, what: string, _quote, from: string) => {
        imports.add(from, what, type !== undefined);
        return '';
      })
      .replace(/^export (?!\{)(default )?/gm, (_all, isDefault) =>
        isDefault ? 'globalThis.exported = ' : '',
      ),
  );
  const declarations = Object.entries({ ...usual, ...given })
    .filter(([name]) => isUsed(name, bodies) && !isDeclared(name, bodies))
    .map(([name, value]) => `const ${name} = ${value};`);
  if (declarations.some((line) => line.includes('createClient'))) {
    imports.add('@wrp/client', '{ createClient }', false);
  }
  const [opening, closing] = programs.includes(page[0]?.file ?? '') ? [';', ''] : ['{', '}'];
  const scopes = bodies.map((body, index) => `${opening} globalThis.enter(${index});\n${body}\n`);
  return [
    'declare global { var enter: (block: number) => void; var exported: unknown }',
    imports.text(),
    ...declarations,
    ...scopes,
    closing.repeat(bodies.length),
    'export {};\n',
  ].join('\n');
}

const isUsed = (name: string, bodies: string[]) =>
  bodies.some((body) => new RegExp(`(?<![.\\w'"/-])${name}\\b(?!['"/:-])`).test(body));

const isDeclared = (name: string, bodies: string[]) =>
  bodies.some((body) =>
    new RegExp(`\\b(const|let|function|class)\\s+(\\{[^}=]*\\b|\\[[^\\]=]*\\b)?${name}\\b`).test(body),
  );

/** Import statements, merged: two blocks may import the same name. */
class Imports {
  readonly #modules = new Map<string, { whole: Set<string>; names: Map<string, boolean> }>();

  add(from: string, what: string, isType: boolean): void {
    const module = this.#modules.get(from) ?? { whole: new Set(), names: new Map() };
    this.#modules.set(from, module);
    const [, names = ''] = /\{([\s\S]*)\}/.exec(what) ?? [];
    for (const name of names.split(',').map((one) => one.trim())) {
      if (name === '') continue;
      const bare = name.replace(/^type\s+/, '');
      // A name that any block uses as a value is imported as one.
      const onlyType = (isType || bare !== name) && module.names.get(bare) !== false;
      module.names.set(bare, onlyType);
    }
    const whole = what.replace(/,?\s*\{[\s\S]*\}/, '').trim();
    if (whole !== '') module.whole.add(`${isType ? 'type ' : ''}${whole}`);
  }

  text(): string {
    const lines = [...this.#modules].flatMap(([from, { whole, names }]) => {
      const named = [...names].map(([name, onlyType]) => (onlyType ? `type ${name}` : name));
      return [
        ...[...whole].map((name) => `import ${name} from '${from}';`),
        ...(named.length > 0 ? [`import { ${named.join(', ')} } from '${from}';`] : []),
      ];
    });
    return lines.join('\n');
  }
}
