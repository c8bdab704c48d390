/** Runs the resilience tests: each tries to break a promise of this project on running processes. */
import { run } from '../../command-line/command.ts';
import { type ListedSection, sectionsCommand } from '../sections.ts';
import { resultTable, type TestResult } from './results.ts';

const sections: ListedSection[] = [
  {
    name: 'fuzz',
    about: ['generates requests from the contract with Schemathesis: every response is as it declares'],
  },
  {
    name: 'crash',
    about: ['kills the platform at random moments under load: no execution is lost, run twice or stuck'],
  },
  {
    name: 'faults',
    about: [
      'about thirty kinds of faults happen to two servers, two workers, PostgreSQL with a standby and a proxy,',
      'under load: nothing is lost or done twice, and no request fails that need not',
    ],
  },
  {
    name: 'uploads',
    about: [
      'a file of 5 GiB takes 150 MiB of memory and arrives byte for byte; broken uploads leave nothing',
    ],
  },
  {
    name: 'drain',
    about: ['ends the platform with SIGTERM under load: no accepted request fails, and it exits in time'],
  },
  {
    name: 'disk-full',
    about: ['fills the disk: changes are refused with 503, nothing half-written stays, and it works again'],
  },
  {
    name: 'slow-clients',
    about: ['5,000 clients that send or read byte by byte are ended in time, and others do not notice them'],
  },
];

await run(
  sectionsCommand({
    tool: 'prove',
    description: `Runs the resilience tests: they try to break what this project promises, and print what was tried, how often, and
what failed. Runs these sections, or those that are named, one after another, each in a process of its own:`,
    folder: new URL('./', import.meta.url),
    sections,
    summary: (outputs) =>
      resultTable(
        outputs.map(({ name, results }) => ({
          name,
          results: (results as TestResult[] | undefined) ?? [
            { tried: 'the whole section', times: 1, failures: ['it could not run; its error is above'] },
          ],
        })),
      ),
  }),
);
