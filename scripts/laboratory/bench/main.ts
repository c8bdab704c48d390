/** Measures the platform's speed and cost relative to comparable software. */
import { run } from '../../command-line/command.ts';
import { sectionsCommand } from '../sections.ts';

const sections = [
  {
    name: 'requests',
    about: [
      'what a request costs, to bare Express 5 and Fastify with equal checks',
      'target: 1.0 of bare Express (page of 20: 0.9, invalid body: 0.65), 0.75 of Fastify; p99 no worse than Express',
    ],
  },
  {
    name: 'files',
    about: [
      'uploads and downloads to a bare pipe, with buffers of 64 KiB and of 1 MiB',
      'target: 0.9 of the bare pipe, up and down',
    ],
  },
  {
    name: 'storage',
    about: [
      'requests with the database to statements written by hand with Express, round trips counted',
      'target: one user 1.0 of the same two statements and 0.9 of one, page 1.1, PUT 0.9, execution start 0.5',
    ],
  },
  {
    name: 'growth',
    about: [
      'responses of bounded size with a million users, executions, attachments and memberships to those with a thousand',
      'target: at most 1.3',
    ],
  },
  {
    name: 'executions',
    about: [
      'steps of executions to jobs of the queue alone; starts with 100,000 stored executions to starts with none',
      'target: 0.4 of the jobs for one step, 600/s of ten steps, three steps in 8 ms; starts with many at most 1.05',
    ],
  },
  {
    name: 'start',
    about: [
      'time until the platform is ready after a warm start, also with the rows of growth',
      'target: at most 1 s; with many rows at most 1.05',
    ],
  },
  {
    name: 'webhooks',
    about: [
      'signed and recorded deliveries to bare fetch; time until delivered, also if 20 % of requests are refused',
      'target: 0.6 of bare fetch; p99 of 50 ms until delivered, and 60 s with a median of 2 s if some are refused',
    ],
  },
  {
    name: 'design-loop',
    about: [
      'how long after a save each result appears',
      'target: findings, mock and missing handlers within 2 s, types and portal within 5 s',
    ],
  },
  {
    name: 'ratchet',
    about: [
      'requests, storage and executions of this version to those of the last release',
      'target: no line certainly lost more than 7 % of the ratio in ratchet.json',
    ],
  },
];

await run(
  sectionsCommand({
    tool: 'bench',
    description:
      'Runs these sections, or those that are named, one after another, each in a process of its own:',
    folder: new URL('./', import.meta.url),
    sections,
  }),
);
