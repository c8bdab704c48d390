import type { BaseUrls } from './platform-server.ts';

/** What a person needs to go on after `npm start`, as lines for a terminal. */
export function welcome(baseUrls: BaseUrls, token: string | undefined): string {
  const rows = [
    ['API', baseUrls.production],
    ['Sandbox', baseUrls.sandbox],
    ['Portal', `${baseUrls.production}/docs`],
    ...(token ? [['Token', token]] : []),
  ];
  const table = rows.map(([name = '', value]) => `  ${name.padEnd(9)}${value}`);
  const call = `  curl -H 'Authorization: ${token}' '${baseUrls.production}/organizations/users?size=2'`;
  return [
    '',
    '  The Workflow and Records Platform is ready.',
    '',
    ...table,
    ...(token ? ['', call] : []),
    '',
  ].join('\n');
}
