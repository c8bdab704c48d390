import type { Position } from 'vscode-languageserver/node';
import { targetOf } from '../spec/refactor/yaml.ts';
import type { Sources } from './sources.ts';
import { operations, type Term, terms, textOf } from './vocabulary.ts';

type Place = { file: string; position: Position };
type Resolve = (sources: Sources, name: string, place: Place) => Term | undefined;

/** What leads somewhere, in the order in which it is looked for. */
const kinds: [pattern: RegExp, resolve: Resolve][] = [
  [/\$ref['"]?: *['"]?([^\s'",}]+)/g, targetOfReference],
  [
    /\boperationId['"]?: *['"]?(?:\$sourceDescriptions\.[\w-]+\.)?([\w.-]+)/g,
    (sources, name) => operations(sources).find((one) => one.name === name),
  ],
  [/(?<![^\s[{,])\*([\w-]+)/g, anchorOf],
  [/(\w+(?:\.\w+)*)/g, (sources, name) => terms(sources).find((one) => one.name === name)],
];

/** What the name at a position stands for: its meaning, and where it is declared. */
export function declarationAt(sources: Sources, file: string, position: Position): Term | undefined {
  const line = sources.document(file).getText().split('\n')[position.line] ?? '';
  for (const [pattern, resolve] of kinds)
    for (const { 0: whole, 1: name = '', index } of line.matchAll(pattern))
      if (index <= position.character && position.character <= index + whole.length)
        return resolve(sources, name, { file, position });
  return undefined;
}

function targetOfReference({ yaml, document }: Sources, reference: string, place: Place): Term | undefined {
  const { target: file, keys } = targetOf(place.file, reference);
  if (!/\.ya?ml$/.test(file))
    return document(file).getText() ? { name: file, text: '', file, offset: 0 } : undefined;
  const spot = yaml.at(file, keys);
  if (!spot) return undefined;
  const target = yaml.follow(spot);
  const [type, ...texts] = ['type', 'description', 'summary'].map((key) => textOf(yaml.child(target, key)));
  const text = [type && `\`${type}\``, texts.find(Boolean)].filter(Boolean).join(' ');
  return { name: keys.at(-1) ?? file, text, file, offset: spot.offset ?? 0 };
}

/** The last anchor of that name above the alias. */
function anchorOf({ document }: Sources, name: string, { file, position }: Place): Term | undefined {
  const before = document(file).getText().slice(0, document(file).offsetAt(position));
  const found = [...before.matchAll(new RegExp(`(?<![^\\s[{,])&${name}(?![\\w-])`, 'g'))].at(-1);
  return found && { name, text: '', file, offset: found.index };
}
