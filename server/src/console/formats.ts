import { type Html, html } from '../domain/html.ts';

/** A duration in the largest unit that fits, such as `1.2 s` or `3 h 20 min`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.max(0, Math.round(milliseconds))} ms`;
  const seconds = milliseconds / 1_000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const units: [string, number][] = [
    ['d', 86_400],
    ['h', 3_600],
    ['min', 60],
    ['s', 1],
  ];
  const first = units.findIndex(([, size]) => seconds >= size);
  const [unit, size] = units[first] as [string, number];
  const [below, smaller] = units[first + 1] as [string, number];
  const rest = Math.floor((seconds % size) / smaller);
  return `${Math.floor(seconds / size)} ${unit}${rest > 0 ? ` ${rest} ${below}` : ''}`;
}

/** A time in UTC, to the second, such as `2026-11-30 08:00:00`. */
export function formatSecond(time: Date | string): string {
  const iso = typeof time === 'string' ? time : time.toISOString();
  return iso.slice(0, 19).replace('T', ' ');
}

/** The same as a `time` element. */
export function timeOf(time: Date | string): Html {
  const iso = typeof time === 'string' ? time : time.toISOString();
  return html`<time datetime="${iso}">${formatSecond(iso)}</time>`;
}

/** The details of an entry in the audit log, such as `revision=2 fields=name,status`. */
export function formatDetails(details: Record<string, unknown>, names: Record<string, string>): string {
  const shown = (value: unknown) => {
    const text = String(value);
    return Object.hasOwn(names, text) ? `${text} ${names[text]}` : text;
  };
  return Object.entries(details)
    .map(([name, value]) => `${name}=${[value].flat().map(shown).join(',')}`)
    .join(' ');
}

export const formatCount = (count: number) => count.toLocaleString('en');

/** A status as a coloured word. */
export function pill(status: string): Html {
  return html`<span class="pill ${status.toLowerCase()}">${status}</span>`;
}
