/**
 * What a request costs this server next to others that answer the same from memory, as ratios: the rounds
 * of all contenders alternate, each serves from a core of its own, and the medians are compared.
 */
import { parseArgs } from 'node:util';
import { contenders, pinLoad, type RunningContender, startContender } from './bench/contenders.ts';
import { measure, type Sample } from './bench/measure.ts';
import { token } from './bench/memory.ts';
import { asJson, asText, type Results } from './bench/report.ts';
import { type Workload, workloads } from './bench/workloads.ts';

const usage = `Usage: npm run bench [-- options]

  --rounds <n>     rounds, whose median counts (3)
  --seconds <n>    seconds of load of each measurement (2)
  --only <text>    only workloads and contenders whose name contains one of these, comma-separated:
                   --only "one user,PUT,ours,express"
  --rate <n>       requests per second at which p99 is taken; 0 for not at all (2000)
  --json           the results as JSON on standard output`;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
    only: { type: 'string', default: '' },
    rate: { type: 'string', default: '2000' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

if (values.help) console.log(usage);
else {
  const results = await run(Number(values.rounds), Number(values.seconds), Number(values.rate));
  console.log(values.json ? JSON.stringify(asJson(results), null, 2) : asText(results));
}

async function run(rounds: number, seconds: number, rate: number): Promise<Results> {
  if (!pinLoad())
    progress('taskset is missing: server and load share the cores, and the ratios are blurred.');
  const results: Results = { samples: new Map(), p99: new Map(), rate };
  const running: RunningContender[] = [];
  try {
    for (const contender of chosen(contenders)) running.push(await startContender(contender, token));
    const chosenWorkloads = chosen(workloads);
    for (const contender of running)
      for (const workload of chosenWorkloads) {
        progress(`warming up: ${contender.name}, ${workload.name}`);
        await measure(contender, workload, { token, seconds: 1 });
      }
    for (let round = 1; round <= rounds; round++)
      for (const workload of chosenWorkloads)
        for (const contender of round % 2 === 0 ? running.toReversed() : running) {
          const sample = await measure(contender, workload, { token, seconds });
          keep(results, workload, contender.name, sample);
          const { requestsPerSecond: speed, processorTime } = sample;
          progress(
            `${round}/${rounds} ${workload.name}, ${contender.name}: ${speed.toFixed(0)}/s, ${processorTime.toFixed(0)} µs`,
          );
        }
    const [one] = workloads;
    for (let round = 1; rate > 0 && one && round <= rounds; round++)
      for (const contender of running) {
        const { p99 } = await measure(contender, one, { token, seconds: Math.max(seconds, 2), rate });
        results.p99.set(contender.name, [...(results.p99.get(contender.name) ?? []), p99]);
        progress(`${round}/${rounds} p99 at ${rate}/s, ${contender.name}: ${p99} ms`);
      }
  } finally {
    for (const contender of running) contender.stop();
  }
  return results;
}

function keep({ samples }: Results, workload: Workload, contender: string, sample: Sample) {
  const byContender = samples.get(workload) ?? new Map<string, Sample[]>();
  samples.set(workload, byContender);
  byContender.set(contender, [...(byContender.get(contender) ?? []), sample]);
}

/** Those that `--only` names; all where it names none of this kind. */
function chosen<Item extends { name: string }>(items: Item[]): Item[] {
  const words = values.only.toLowerCase().split(',').filter(Boolean);
  const named = items.filter(({ name }) => words.some((word) => name.toLowerCase().includes(word.trim())));
  return named.length > 0 ? named : items;
}

function progress(line: string) {
  process.stderr.write(`${line}\n`);
}
