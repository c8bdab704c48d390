import type { Guard } from './find.ts';
import type { Span } from './sql-conditions.ts';

/** Guards by the number that switches them off. */
export type NumberedGuard = readonly [number: number, guard: Guard];

/**
 * The text of a file in which every guard can be switched off while the program runs: `isOff(7)` says whether guard 7
 * is. All guards are in one text, because to load the platform anew for each of them takes far longer than its tests.
 *
 * @param switches URL of the module that exports `isOff`
 */
export function instrument(text: string, guards: readonly NumberedGuard[], switches: string): string {
  const hosts = outermostFirst(guards);
  return `import { isOff as guardIsOff } from '${switches}';\n${render(text, { start: 0, end: text.length }, hosts)}`;
}

interface Host extends Span {
  property?: string;
  guards: NumberedGuard[];
}

function outermostFirst(guards: readonly NumberedGuard[]): Host[] {
  const hosts = new Map<string, Host>();
  for (const guard of guards) {
    const { start, end, property } = guard[1].host;
    const key = `${start} ${end}`;
    const host = hosts.get(key) ?? { start, end, ...(property && { property }), guards: [] };
    host.guards.push(guard);
    hosts.set(key, host);
  }
  return [...hosts.values()].sort((one, other) => one.start - other.start || other.end - one.end);
}

/** The text of a span, with a switch in place of each host in it. */
function render(text: string, span: Span, hosts: readonly Host[], edit?: Span & { by: string }): string {
  let result = '';
  let at = span.start;
  const put = (from: number, to: number) => {
    if (!edit || edit.start >= to || edit.end <= from) result += text.slice(from, to);
    else
      result +=
        text.slice(from, Math.max(from, edit.start)) + edit.by + text.slice(Math.min(to, edit.end), to);
  };
  for (const host of hosts) {
    const isEdited = edit && host.start < edit.end && edit.start < host.end;
    if (host.start < at || host.end > span.end || isEdited) continue;
    put(at, host.start);
    result += switched(text, host, hosts);
    at = host.end;
  }
  put(at, span.end);
  return result;
}

function switched(text: string, host: Host, hosts: readonly Host[]): string {
  const inner = hosts.filter((other) => other !== host && other.start >= host.start && other.end <= host.end);
  // A property's value begins after `name: `.
  const start = host.property ? text.indexOf(':', host.start) + 1 : host.start;
  const alternatives = host.guards.map(([number, { span, replacement }]) => {
    const weakened = render(text, { start, end: host.end }, inner, { ...span, by: replacement });
    return `guardIsOff(${number}) ? ${weakened} : `;
  });
  const value = `(${alternatives.join('')}${render(text, { start, end: host.end }, inner)})`;
  return host.property ? `get ${host.property}() { return ${value}; }` : value;
}
