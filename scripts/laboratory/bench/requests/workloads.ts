/** One request, sent repeatedly. */
export interface Workload {
  name: string;
  method: 'GET' | 'PUT';
  path: string;
  body?: object;
  /** The expected status from a baseline with validation. */
  status: number;
  /** The expected status from a baseline without validation. Default: `status`. */
  unvalidated?: number;
  /** The minimum ratio of our requests per second to bare Express's. */
  target: number;
}

/** The minimum ratio to Fastify with equal checks. */
export const fastifyTarget = 0.75;

const user = '/organizations/users/5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02';

export const workloads: Workload[] = [
  { name: 'one user', method: 'GET', path: user, status: 200, target: 1 },
  {
    name: 'page of 20',
    method: 'GET',
    path: '/organizations/users?page=0&size=20',
    status: 200,
    target: 0.9,
  },
  {
    name: 'PUT profile',
    method: 'PUT',
    path: `${user}/profile`,
    body: { firstName: 'Ada', lastName: 'Lovelace', title: 'Senior claims adjuster' },
    status: 200,
    target: 1,
  },
  { name: 'unknown path', method: 'GET', path: '/organizations/nowhere', status: 404, target: 1 },
  {
    name: 'invalid body',
    method: 'PUT',
    path: `${user}/profile`,
    body: { firstName: 'Ada', lastName: 5 },
    status: 400,
    unvalidated: 200,
    target: 0.65,
  },
  {
    name: 'late route',
    method: 'GET',
    path: '/parameters/8e7d6c5b-4a39-4281-b7c6-d5e4f3a2b101',
    status: 201,
    target: 1,
  },
];
