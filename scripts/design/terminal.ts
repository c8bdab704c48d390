import { coloured } from '../command-line/terminal.ts';
import { type Answer, isTaken, type Place } from './answer.ts';

type Part = keyof Answer['times'];

const mostShown = 12;

/**
 * Prints an answer as it grows: each part once, as soon as it is known. Of a save that another one has overtaken,
 * the rest is left out.
 */
export function answerPrinter(print: (line: string) => void): (answer: Answer) => void {
  let save = -1;
  let printed = new Set<Part | 'done'>();

  return (answer) => {
    if (answer.save !== save) {
      save = answer.save;
      printed = new Set();
      print('');
      print(coloured('bold', headline(answer)));
    }
    for (const [part, lines] of partsOf(answer)) {
      if (printed.has(part)) continue;
      printed.add(part);
      for (const line of lines) print(line);
    }
  };
}

function headline({ save, files, at }: Answer): string {
  const time = new Date(at).toTimeString().slice(0, 8);
  if (save === 0) return `${time}  the contract as it is`;
  const more = files.length > 3 ? ` and ${files.length - 3} more` : '';
  return `${time}  save ${save}: ${files.slice(0, 3).join(', ')}${more}`;
}

function partsOf(answer: Answer): [Part | 'done', string[]][] {
  const { findings, mock, missing, breaks, types, portal, times } = answer;
  const parts: [Part | 'done', string[]][] = [];
  const line = (part: Part, isGood: boolean, text: string) => {
    const mark = isGood ? coloured('green', '✓') : coloured('red', '✗');
    const time = times[part];
    return `  ${mark} ${part.padEnd(8)} ${text}${time === undefined ? '' : coloured('dim', `  ${seconds(time)}`)}`;
  };
  if (findings)
    parts.push([
      'findings',
      [line('findings', isTaken(answer), findingsText(findings.length)), ...findings.flatMap(findingLines)],
    ]);
  if (mock) parts.push(['mock', [line('mock', !mock.fault, mock.fault ?? `answers from it on ${mock.url}`)]]);
  if (missing) {
    const text =
      missing.length === 0
        ? 'nothing: each operation has its handler, its test, its line of the matrix'
        : String(missing.length);
    const items = missing.flatMap((one) => [
      placed(one, `${one.operationId} has no ${one.what}`),
      advice(one.mend),
    ]);
    parts.push(['missing', [line('missing', missing.length === 0, text), ...items]]);
  }
  if (breaks && times.breaks !== undefined) {
    const { released, changes, fault } = breaks;
    const count = `${changes.length} ${changes.length === 1 ? 'change breaks' : 'changes break'} clients of ${released}`;
    const text = fault ?? (changes.length === 0 ? `nothing breaks a client of ${released}` : count);
    const items = changes.map((one) => placed(one, `${one.where}: ${one.message} (${one.rule})`));
    parts.push(['breaks', [line('breaks', !fault && changes.length === 0, text), ...items]]);
  }
  if (portal && times.portal !== undefined) {
    parts.push(['portal', [line('portal', !portal.fault, portal.fault ?? 'built anew')]]);
  }
  if (types) {
    const { faults, written, fault } = types;
    const files = written.length > 0 ? `; wrote ${written.join(', ')}` : '';
    const text =
      faults.length === 0
        ? `server and client fit${files}`
        : `${faults.length} ${faults.length === 1 ? 'error' : 'errors'}${files}`;
    const items = faults.slice(0, mostShown).map((one) => placed(one, `${one.code} ${one.message}`));
    if (faults.length > mostShown) items.push(`      and ${faults.length - mostShown} more`);
    parts.push(['types', [line('types', !fault && faults.length === 0, fault ?? text), ...items]]);
  }
  if (times.shown !== undefined) parts.push(['shown', [line('shown', true, 'in the browser')]]);
  return parts;
}

function findingsText(count: number): string {
  if (count === 0) return 'none';
  return `${count}; portal, mock and generated/ are as before`;
}

function findingLines({ rule, message, mend, ...place }: NonNullable<Answer['findings']>[number]): string[] {
  return [placed(place, `${coloured('yellow', rule)} ${message}`), ...(mend ? [advice(mend)] : [])];
}

/** Terminals and editors make a link of the place. */
function placed({ file, line, column }: Place, text: string): string {
  return `      ${coloured('cyan', `${file}:${line}:${column}`)} ${text}`;
}

function advice(text: string): string {
  return coloured('dim', `        → ${text}`);
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}
