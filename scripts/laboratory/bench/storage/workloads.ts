import type { RawRequest } from '../requests/load.ts';

/** A request of the platform, and what is written by hand for the same purpose. */
export interface Workload {
  name: string;
  method: 'GET' | 'PUT' | 'POST';
  /** The path on the platform; `{userId}` is another user for each connection. */
  path: string;
  body?: object;
  counterparts: readonly Counterpart[];
  /** Whether each response leaves work for the platform's workers, which ends before the next measurement. */
  hasJobs?: boolean;
}

export interface Counterpart {
  name: string;
  /** The path on the hand-written server. */
  path: string;
  /** The minimum ratio of the platform's requests per second to its own. */
  target: number;
}

export const workloads = (workflowDefinitionId: string): Workload[] => [
  {
    name: 'one user',
    method: 'GET',
    path: '/organizations/users/{userId}',
    counterparts: [
      { name: 'permission and user, two statements', path: '/permitted-users/{userId}', target: 1 },
      { name: 'user alone, one statement', path: '/users/{userId}', target: 0.9 },
    ],
  },
  {
    name: 'page of 20 users',
    method: 'GET',
    path: '/organizations/users?page=3&size=20',
    counterparts: [
      { name: 'permission and page, two statements', path: '/users?page=3&size=20', target: 1.1 },
    ],
  },
  {
    name: 'PUT profile',
    method: 'PUT',
    path: '/organizations/users/{userId}/profile',
    body: { firstName: 'Ada', lastName: 'Lovelace', title: 'Senior claims adjuster' },
    counterparts: [
      {
        name: 'permission, update in a transaction, no event',
        path: '/users/{userId}/profile',
        target: 0.9,
      },
    ],
  },
  {
    name: 'execution start',
    method: 'POST',
    path: '/workflows',
    body: { workflowDefinitionId, parameters: { claimNumber: 'C-2026-004711' } },
    counterparts: [{ name: 'permission, row and job in a transaction', path: '/executions', target: 0.5 }],
    hasJobs: true,
  },
];

/** One request for each user; a single one if the path names none. */
export function requestsOf(
  { method, body }: Workload,
  path: string,
  { token, userIds }: { token: string; userIds: readonly string[] },
): RawRequest[] {
  const content = body ? JSON.stringify(body) : '';
  const head = [
    'Host: 127.0.0.1',
    `Authorization: ${token}`,
    ...(body ? ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(content)}`] : []),
  ].join('\r\n');
  const paths = path.includes('{userId}') ? userIds.map((id) => path.replace('{userId}', id)) : [path];
  return paths.map((target) => ({
    bytes: Buffer.from(`${method} ${target} HTTP/1.1\r\n${head}\r\n\r\n${content}`),
    status: 200,
  }));
}
