import { type Html, type HtmlPart, html } from '../domain/html.ts';

interface Column<Entry> {
  name: string;
  /** The heading of the row. */
  heads?: boolean;
  /** How the cell is set: a number, a time, a long text that may break, or one that may not. */
  kind?: 'number' | 'time' | 'break' | 'keep';
  cell(entry: Entry): HtmlPart;
}

interface Table<Entry> {
  caption: string;
  /** Instead of a table without rows. */
  empty: string;
  columns: Column<Entry>[];
}

/** A table that scrolls on a narrow screen. */
export function table<Entry>(entries: readonly Entry[], { caption, empty, columns }: Table<Entry>): Html {
  if (entries.length === 0) return html`<p>${empty}</p>`;
  const classOf = ({ kind }: Column<Entry>) => kind !== undefined && html` class="${kind}"`;
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table>
<caption>${caption}</caption>
<thead><tr>${columns.map((column) => html`<th scope="col"${classOf(column)}>${column.name}</th>`)}</tr></thead>
<tbody>${entries.map(
    (entry) => html`<tr>${columns.map((column) =>
      column.heads
        ? html`<th scope="row"${classOf(column)}>${column.cell(entry)}</th>`
        : html`<td${classOf(column)}>${column.cell(entry)}</td>`,
    )}</tr>
`,
  )}</tbody></table></div>`;
}
