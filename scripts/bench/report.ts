import { parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';

export interface ReportPart {
  heading: string;
  plot?: TopLevelSpec;
  /** The first one has the headings. */
  rows?: readonly (readonly string[])[];
}

/** A page without scripts or references, with plots as SVG. */
export async function reportPage(title: string, parts: readonly ReportPart[]): Promise<string> {
  const sections: string[] = [];
  for (const { heading, plot, rows } of parts)
    sections.push(`<h2>${escaped(heading)}</h2>`, plot ? await svgOf(plot) : '', rows ? tableOf(rows) : '');
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>${escaped(title)}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse}th,td{padding:.25rem .75rem;border-bottom:1px solid #ccc;text-align:left}</style>
<h1>${escaped(title)}</h1>
<p>Measured ${new Date().toISOString().slice(0, 10)} with Node ${process.versions.node}, ${process.platform} ${process.arch}.</p>
${sections.join('\n')}
</html>
`;
}

export interface Ratio {
  name: string;
  ratio: number;
  target: number;
}

/** A bar for each ratio, with a line at its target. */
export function barsOfRatios(values: Ratio[]): TopLevelSpec {
  const y = { field: 'name', type: 'nominal', sort: null, title: null, axis: { labelLimit: 400 } } as const;
  return {
    ...{ width: 600, data: { values } },
    layer: [
      {
        mark: 'bar',
        encoding: { y, x: { field: 'ratio', type: 'quantitative', title: 'ratio; line: target' } },
      },
      {
        mark: { type: 'tick', color: 'black', thickness: 3 },
        encoding: { y, x: { field: 'target', type: 'quantitative' } },
      },
    ],
  };
}

export interface Point {
  name: string;
  size: number;
  milliseconds: number;
}

/** A line for each name over the logarithm of the size. */
export function linesOverSize(values: Point[]): TopLevelSpec {
  return {
    ...{ width: 600, height: 400, data: { values } },
    mark: { type: 'line', point: true },
    encoding: {
      x: { field: 'size', type: 'quantitative', scale: { type: 'log' }, title: 'rows' },
      y: { field: 'milliseconds', type: 'quantitative', title: 'milliseconds, median' },
      color: { field: 'name', type: 'nominal', sort: null, title: null, legend: { labelLimit: 400 } },
    },
  };
}

function svgOf(plot: TopLevelSpec): Promise<string> {
  return new View(parse(compile(plot).spec), { renderer: 'none' }).toSVG();
}

function tableOf([headings = [], ...rows]: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[], tag: 'th' | 'td') =>
    `<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`;
  return `<table>${row(headings, 'th')}${rows.map((cells) => row(cells, 'td')).join('\n')}</table>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
