import { coloured } from '../command-line/terminal.ts';
import { breaksTitle, count, countOfCauses, itemsOf } from './page/verdict.js';
import { isAccepted, type Report } from './report.ts';

type Item = ReturnType<typeof itemsOf>['findings'][number];
type Part = keyof Report['times'] | 'done';

const mostShown = 12;
const morePlaces = 4;

/**
 * Prints a report as it grows: each part once, as soon as it is known. What is still missing of a save when another
 * one follows is left out.
 */
export function reportPrinter(print: (line: string) => void): (report: Report) => void {
  let save = -1;
  let printed = new Set<Part>();

  return (report) => {
    if (report.save !== save) {
      save = report.save;
      printed = new Set();
      print('');
      print(coloured('bold', headline(report)));
    }
    for (const [part, lines] of partsOf(report)) {
      if (printed.has(part)) continue;
      printed.add(part);
      for (const line of lines) print(line);
    }
  };
}

function headline({ save, files, at }: Report): string {
  const time = new Date(at).toTimeString().slice(0, 8);
  if (save === 0) return `${time}  the contract as it is`;
  const more = files.length > 3 ? ` and ${files.length - 3} more` : '';
  return `${time}  save ${save}: ${files.slice(0, 3).join(', ')}${more}`;
}

function partsOf(report: Report): [Part, string[]][] {
  const { findings, mock, gaps, breaks, types, portal, times } = report;
  const items = itemsOf(report);
  const parts: [Part, string[]][] = [];
  const add = (part: Part, isGood: boolean, text: string, problems: Item[] = []) => {
    const mark = isGood ? coloured('green', '✓') : coloured('red', '✗');
    const time = part === 'done' ? undefined : times[part];
    const took = time === undefined ? '' : coloured('dim', `  ${(time / 1000).toFixed(2)} s`);
    parts.push([part, [`  ${mark} ${part.padEnd(8)} ${text}${took}`, ...problems.flatMap(linesOf)]]);
  };
  if (findings) {
    const text = `${countOfCauses(findings, 'finding')}; portal, mock and generated/ stay as they were`;
    add('findings', isAccepted(report), findings.length === 0 ? 'none' : text, items.findings);
  }
  if (mock) add('mock', !mock.error, mock.error ?? `responds from it on ${mock.url}`);
  if (gaps) add('gaps', gaps.length === 0, gaps.length === 0 ? 'none' : String(gaps.length), items.gaps);
  if (breaks && times.breaks !== undefined) {
    const { released, changes, error } = breaks;
    const isGood = items.breaks.length === 0;
    const accepted = changes.length > 0 ? `${count(changes.length, 'change')} accepted; else ` : '';
    const text = isGood ? `${accepted}nothing breaks a client of ${released}` : breaksTitle(breaks);
    add('breaks', !error && isGood, error ?? text, items.breaks);
  }
  if (portal && times.portal !== undefined) add('portal', !portal.error, portal.error ?? 'rebuilt');
  if (types) {
    const { errors, written, error } = types;
    const files = written.length > 0 ? `; wrote ${written.join(', ')}` : '';
    const text = errors.length === 0 ? 'server and client compile' : countOfCauses(errors, 'error');
    add('types', !error && errors.length === 0, error ?? `${text}${files}`, items.types.slice(0, mostShown));
    if (errors.length > mostShown) parts.at(-1)?.[1].push(`      and ${errors.length - mostShown} more`);
  }
  if (times.shown !== undefined) add('shown', true, 'in the browser');
  // Editors that run the design loop as a task take the problems up to this line.
  if (report.done) parts.push(['done', [coloured('dim', '  Waiting for the next save')]]);
  return parts;
}

/** A line for each place: terminals and editors make a link of it. */
function linesOf({ place = '', rule, text, fixes = [], schema, also = [] }: Item): string[] {
  const more = also.length - morePlaces;
  return [
    placed(place, rule ? `${coloured('yellow', rule)} ${text}` : text),
    ...fixes.map((fix) => coloured('dim', `        → ${fix}`)),
    ...(schema ? [placed(schema, coloured('dim', 'the schema'))] : []),
    ...also.slice(0, morePlaces).map((one) => placed(one, coloured('dim', 'the same'))),
    ...(more > 0 ? [coloured('dim', `      and ${count(more, 'more place')}`)] : []),
  ];
}

function placed(place: string, text: string): string {
  return `      ${coloured('cyan', place)} ${text}`;
}
