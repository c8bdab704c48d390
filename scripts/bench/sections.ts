/** A part of the benchmark, a command of its own beside this file. */
export interface ListedSection {
  name: string;
  /** What it compares. */
  compares: string;
  /** What it is to come to. */
  target: string;
  /** It takes `--quick`; others are quick as they are. */
  hasQuick: boolean;
}

export const sections: ListedSection[] = [
  {
    name: 'requests',
    compares: 'what a request costs, to bare node:http, bare Express 5, the stock validator and Fastify',
    target:
      '1.0 of bare Express (page of 20: 0.9, invalid body: 0.65), 0.75 of Fastify; p99 no worse than Express',
    hasQuick: true,
  },
  {
    name: 'files',
    compares: 'uploads and downloads to a bare pipe, with buffers of 64 KiB and of 1 MiB',
    target: '0.9 of the bare pipe, up and down',
    hasQuick: true,
  },
  {
    name: 'executions',
    compares:
      'steps of executions to jobs of the queue alone; starts beside 100,000 stored executions to beside none',
    target: 'none set for steps; starts as fast beside many as beside none (1.0)',
    hasQuick: true,
  },
  {
    name: 'webhooks',
    compares: 'signed and recorded deliveries to bare fetch',
    target: 'none set; bare fetch is 1.0',
    hasQuick: true,
  },
  {
    name: 'client-size',
    compares: "the client's bundle for a browser to its limit",
    target: 'at most 10 kB gzipped for everything',
    hasQuick: false,
  },
  {
    name: 'design-loop',
    compares: 'how long after a save the designer has an answer',
    target: 'findings, mock and missing handlers within 2 s, types and portal within 5 s',
    hasQuick: false,
  },
];
