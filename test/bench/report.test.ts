import { expect, test } from 'vitest';
import { barsOfRatios, linesOverSize, reportPage } from '../../scripts/bench/report.ts';

test('a report has its plots and tables, without scripts or references to other files', async () => {
  const bars = barsOfRatios([{ name: 'one <user>', ratio: 1.2, target: 1 }]);
  const lines = linesOverSize([
    { name: 'last page', size: 1_000, milliseconds: 2 },
    { name: 'last page', size: 1_000_000, milliseconds: 2.1 },
  ]);
  const page = await reportPage('Speed & growth', [
    { heading: 'Ratios', plot: bars },
    {
      heading: 'Times',
      plot: lines,
      rows: [
        ['Rows', 'ms'],
        ['<1000', '2'],
      ],
    },
  ]);
  expect(page.match(/<svg /g)).toHaveLength(2);
  expect(page).toContain('last page');
  expect(page).toContain('Speed &amp; growth');
  expect(page).toContain('<td>&lt;1000</td>');
  expect(page).not.toMatch(/<script|<link|src=|one <user>/);
});
